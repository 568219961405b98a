import { expect, test } from 'vitest'
import { hasWishes, tidyWishes } from './job-alert.ts'
import { wishesInWords } from './job-alert-words.ts'

test('wishes are said one after the other, the first with a capital', () => {
  expect(
    wishesInWords({
      remote: 'remote',
      type: 'full-time',
      salary: 60_000,
      currency: 'EUR',
      search: 'data',
    }),
  ).toBe('Remote, full-time, from €60,000, “data”')
  expect(wishesInWords({ place: 'Berlin' })).toBe('In Berlin')
  expect(wishesInWords({ company: 'an id', remote: 'on-site' }, 'Acme')).toBe('On-site, at Acme')
  expect(wishesInWords({ company: 'an id' })).toBe('At one company')
  expect(wishesInWords({ search: '  data   science ' })).toBe('“data science”')
  expect(wishesInWords({})).toBe('Any job')
})

test('a salary without a currency is in dollars; a currency that nobody knows is named as it is', () => {
  expect(wishesInWords({ salary: 60_000 })).toBe('From $60,000')
  expect(wishesInWords({ salary: 60_000, currency: 'q1' })).toBe('From Q1 60,000')
  expect(wishesInWords({ currency: 'EUR' })).toBe('Any job')
})

test('the same wishes have one form, and blank ones are none', () => {
  expect(tidyWishes({ search: ' a\0b  c ', place: '  ', currency: 'eur' })).toEqual({
    search: 'a b c',
  })
  expect(tidyWishes({ salary: 1, currency: ' eur' })).toEqual({ salary: 1, currency: 'EUR' })
  expect(hasWishes({ search: ' ', currency: 'EUR' })).toBe(false)
  expect(hasWishes({ remote: 'remote' })).toBe(true)
})
