import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { groupedMailCode, MAIL_CODE, mailCodeOf } from './mail-code.ts'

const codeFor = (text: string) =>
  mailCodeOf(createHmac('sha256', 'key').update(text).digest('base64url'))

test('a code has six characters, uses the whole alphabet, and differs for each text', () => {
  const codes = Array.from({ length: 2_000 }, (_, n) => codeFor(String(n)))
  for (const code of codes) expect(code).toMatch(/^[\dA-HJKMNP-TV-Z]{6}$/)
  expect(new Set(codes).size).toBe(codes.length)
  expect(new Set(codes.join('')).size).toBe(32)
})

test('a code is read as people type, paste or mistake it', () => {
  for (const typed of ['10k m2x', ' 10KM2X\n', 'IOK-M2X', 'lokm2x', '１０ＫＭ２Ｘ', '10KM2X!'])
    expect(MAIL_CODE.tidy(typed)).toBe('10KM2X')
  expect(MAIL_CODE.problem(MAIL_CODE.tidy('10k m2'))).toBe('Enter all 6 characters of the code')
  const code = codeFor('any')
  expect(MAIL_CODE.tidy(groupedMailCode(code).toLowerCase())).toBe(code)
})
