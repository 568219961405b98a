import { expect, test } from 'vitest'
import './url-can-parse.server.ts'

/** Node optimizes what was called some ten thousand times; it does so in its own time. */
const OFTEN = 500_000

test('an address with Latin-1 letters is valid, however often it’s parsed', () => {
  const isAddress = (text: string) => URL.canParse(text)
  for (let n = 0; n < OFTEN; n++) isAddress('https://acme.example/')
  expect(isAddress('https://bücher.example')).toBe(true)
  expect(isAddress('https://acme.example/é')).toBe(true)
  expect(isAddress('bücher')).toBe(false)
  expect(URL.canParse('/é', 'https://acme.example')).toBe(true)
})
