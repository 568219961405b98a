import { expect, test } from 'vitest'
import { Nresponse } from '#app/api/credential/issuing.ts'
import { Npresentation, NrenewalRequest, Nrequest } from '#app/api/credential/profile.ts'
import { bytes } from './credential.contract.ts'
import {
  FIRST_REQUEST_BYTES,
  fromBase64url,
  PRESENTATION_BYTES,
  RENEWAL_BYTES,
  RESPONSE_BYTES,
  replaceableFrom,
  toBase64url,
} from './credential.ts'

const DAY_MS = 86_400_000

test('the lengths on the wire are the credential’s', () => {
  expect([FIRST_REQUEST_BYTES, RENEWAL_BYTES]).toEqual([Nrequest, NrenewalRequest])
  expect(RESPONSE_BYTES).toBe(Nresponse)
  expect(PRESENTATION_BYTES).toBe(Npresentation)
})

test('bytes are recognized by their length, in base64url', () => {
  const text = Buffer.alloc(33, 251).toString('base64url')
  expect(bytes(32, 33).safeParse(text).success).toBe(true)
  expect(bytes(32).safeParse(text).success).toBe(false)
  expect(bytes(33).safeParse(`${text.slice(1)}+`).success).toBe(false)
})

test('bytes survive their text, which is the same as Node’s', () => {
  for (let length = 0; length < 70; length++) {
    const given = Uint8Array.from({ length }, (_, i) => 255 - i * 7)
    expect(toBase64url(given)).toBe(Buffer.from(given).toString('base64url'))
    expect(fromBase64url(toBase64url(given))).toEqual(given)
  }
  expect(() => fromBase64url('no text!')).toThrow()
})

test('dana can replace a lost secret half a year later at the earliest, whichever day it was', () => {
  expect(replaceableFrom('2026-11')).toBe('2027-06-01')
  for (let month = 1; month <= 12; month++) {
    const lastDay = Date.UTC(2026, month, 0)
    const from = Date.parse(replaceableFrom(`2026-${String(month).padStart(2, '0')}`))
    expect(from - lastDay).toBeGreaterThanOrEqual(180 * DAY_MS)
  }
})
