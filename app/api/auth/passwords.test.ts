import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { hashPassword, isGuessable, isPasswordOf } from './passwords.server.ts'

const COMPOSED = 'caf\u00e9 au lait 7'
const IN_PARTS = 'cafe\u0301 au lait 7'

test('dana signs in from any keyboard, whether é is one code point or two', async () => {
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

/** What lists of well-known passwords begin with, and what people make of them when they are asked for more. */
const WELL_KNOWN = `
  123456 password 12345678 qwerty 123456789 111111 1234567 dragon 123123 baseball abc123 football monkey letmein
  696969 shadow master 666666 qwertyuiop 123321 mustang 1234567890 michael 654321 superman 1qaz2wsx 7777777 121212
  000000 qazwsx 123qwe killer trustno1 jordan jennifer zxcvbnm asdfgh hunter buster soccer harley batman 555555
  11111111 131313 freedom 777777 159753 aaaaaa 987654321 Password1 P@ssw0rd qwerty123 password123 admin123 welcome1
  letmein1 1q2w3e4r Passw0rd! Password1! Summer2024 Summer2025! Winter2024 Welcome123! Qwerty123! Admin@123
  Admin123! P@ssw0rd1 Pa$$w0rd 123456a a123456 123456789a aa123456 asdf1234 asdfghjkl zaq12wsx zaq1zaq1 qwer1234
  147258369 222222 88888888 00000000 12341234 123412341234 abcabcabc abababab aaaaaaaaaa abcdef abcdefghijkl
  qwertyuiop[] 1234567891011 2020202020 password2024 guest123 root1234 passwordpassword minecraft1 facebook1
  !@#$%^&* !QAZ2wsx adminadmin123 AdminAdmin! 123adminadmin admin1admin2 admin-admin-99 PassPass2024 kettlekettle1`
  .trim()
  .split(/\s+/)

test('well-known passwords, repeats, sequences and blanks are guessable', () => {
  expect(WELL_KNOWN.length).toBeGreaterThan(90)
  for (const password of [...WELL_KNOWN, '      ', '\t \t \t', 'aaaaaaaaaaaaaaaaaaaaaaab'])
    expect(isGuessable(password), password).toBe(true)
})

test('a password made from your address, its domain, your username or the site’s name is guessable', () => {
  const dana = ['dana.weber@samovar.example', 'CandidTeapot4711', 'Kettle']
  for (const password of [
    'dana.weber',
    'Dana-2024',
    'weberdana7',
    'dana.weber@samovar.example',
    'samovar!1',
    'CandidTeapot4711',
    'kettle-99',
  ])
    expect(isGuessable(password, dana), password).toBe(true)
  expect(isGuessable('weberdana7'), 'of somebody else').toBe(false)
  expect(isGuessable('dana loves horses', dana)).toBe(false)
})

test('phrases, random passwords and long ones aren’t guessable', () => {
  for (const password of [
    'correct horse 9',
    'q7!zkp',
    'orchid lamp',
    'cous cous 9 fork',
    'x7Kp2mQ9',
    'ääöüßé',
    'the quick brown fox jumps',
    `${'q7!zkp'.repeat(21)}x`,
  ])
    expect(isGuessable(password), password).toBe(false)
})
