/** What a claim must be, before anybody asks a server. */
import { describe, expect, test } from 'vitest'
import { noteProblem, tidyText } from '#app/kit/writing/text.ts'
import {
  CLAIM_NOTE_MAX,
  claimProblems,
  dnsRecord,
  maskedAddress,
  workEmailProblem,
} from './claim.ts'

const form = { method: 'mail' as const, workEmail: 'jane@acme.example', note: '' }

describe('a work email', () => {
  test.each(['jane@acme.example', ' Jane.Doe+work@careers.acme.example ', 'jörg@bücher.example'])(
    'a work email looks like one: %s',
    (email) => expect(workEmailProblem(email)).toBeUndefined(),
  )

  test.each([
    ['', 'Please enter your work email'],
    ['jane', 'This doesn’t look like an email address'],
    ['jane@', 'This doesn’t look like an email address'],
    ['jane@acme.example\nBcc: all@acme.example', 'This doesn’t look like an email address'],
    ['jane@acme.example\r\nx', 'This doesn’t look like an email address'],
    ['jane@acme.example, joe@acme.example', 'This doesn’t look like an email address'],
    ['"jane@evil.example"@acme.example', 'This doesn’t look like an email address'],
    ['<jane@acme.example>', 'This doesn’t look like an email address'],
    [`${'j'.repeat(250)}@acme.example`, 'This doesn’t look like an email address'],
  ])('a work email doesn’t look like one: %j', (email, sentence) =>
    expect(workEmailProblem(email)).toBe(sentence),
  )

  test('a work email is only required if a mail is the proof', () => {
    expect(claimProblems({ ...form, workEmail: '' }).workEmail).toBe('Please enter your work email')
    expect(claimProblems({ ...form, method: 'dns', workEmail: '' }).workEmail).toBeUndefined()
  })
})

describe('a note', () => {
  test('a note has at most 1,000 characters after cleaning', () => {
    expect(claimProblems({ ...form, note: ` ${'x'.repeat(CLAIM_NOTE_MAX)} ` }).note).toBeUndefined()
    expect(claimProblems({ ...form, note: 'x'.repeat(CLAIM_NOTE_MAX + 1) }).note).toBe(
      'A note can have at most 1,000 characters',
    )
    expect(noteProblem('', CLAIM_NOTE_MAX)).toBeUndefined()
  })

  test('a note loses invisible characters', () => {
    expect(tidyText('  HR\u200b lead\r\nin Leeds\0 ')).toBe('HR lead\nin Leeds')
  })
})

test('an address shows only its first letter and its domain', () => {
  expect(maskedAddress('jane.doe@acme.example')).toBe('j…@acme.example')
})

test('the DNS record is our name and the claim’s code', () => {
  expect(dnsRecord('abc')).toBe('kettle-verification=abc')
})
