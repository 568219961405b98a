import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { hashPassword, isPasswordOf } from './passwords.server.ts'

const COMPOSED = 'caf\u00e9 au lait 7'
const IN_PARTS = 'cafe\u0301 au lait 7'

test('dana signs in from any keyboard: an é is an é, of one letter or of two', async () => {
  for (const chosen of [COMPOSED, IN_PARTS]) {
    const kept = await hashPassword(chosen)
    for (const typed of [COMPOSED, IN_PARTS]) expect(await isPasswordOf(kept, typed)).toBe(true)
    expect(await isPasswordOf(kept, 'cafe au lait 7')).toBe(false)
  }
  expect(await isPasswordOf(null, COMPOSED)).toBe(false)
})

test('a password that was hashed the way it was typed still works', async () => {
  for (const chosen of [COMPOSED, IN_PARTS])
    for (const typed of [COMPOSED, IN_PARTS])
      expect(await isPasswordOf(await hash(chosen), typed)).toBe(true)
})
