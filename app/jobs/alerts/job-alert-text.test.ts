import { expect, test } from 'vitest'
import { hasWishes, tidyWishes, wishesText } from './job-alert.ts'

test('an alert’s text lists its wishes, beginning with a capital', () => {
  expect(
    wishesText({
      remote: 'remote',
      type: 'full-time',
      salary: 60_000,
      currency: 'EUR',
      search: 'data',
    }),
  ).toBe('Remote, full-time, from €60,000, “data”')
  expect(wishesText({ place: 'Berlin' })).toBe('In Berlin')
  expect(wishesText({ company: 'an id', remote: 'on-site' }, 'Acme')).toBe('On-site, at Acme')
  expect(wishesText({ company: 'an id' })).toBe('At one company')
  expect(wishesText({ search: '  data   science ' })).toBe('“data science”')
  expect(wishesText({})).toBe('Any job')
})

test('a salary without a currency is in dollars, and an unknown currency keeps its name', () => {
  expect(wishesText({ salary: 60_000 })).toBe('From $60,000')
  expect(wishesText({ salary: 60_000, currency: 'q1' })).toBe('From Q1 60,000')
  expect(wishesText({ currency: 'EUR' })).toBe('Any job')
})

test('equal wishes have one form, and blank ones are dropped', () => {
  expect(tidyWishes({ search: ' a\0b  c ', place: '  ', currency: 'eur' })).toEqual({
    search: 'a b c',
  })
  expect(tidyWishes({ salary: 1, currency: ' eur' })).toEqual({ salary: 1, currency: 'EUR' })
  expect(hasWishes({ search: ' ', currency: 'EUR' })).toBe(false)
  expect(hasWishes({ remote: 'remote' })).toBe(true)
})
