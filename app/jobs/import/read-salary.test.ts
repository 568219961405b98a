import { expect, test } from 'vitest'
import { readSalary } from './read-salary.server.ts'

const known = { currency: '', country: 'US', period: undefined }

test.each([
  ['60000 EUR', 60_000, 60_000, 'EUR', 'year'],
  ['€60,000 – €75,000 a year', 60_000, 75_000, 'EUR', 'year'],
  ['60.000,00 bis 75.000,00 € pro Jahr', 60_000, 75_000, 'EUR', 'year'],
  ['CHF 7’000 - 8’500 / month', 7_000, 8_500, 'CHF', 'month'],
  ['$25.50/hour', 25.5, 25.5, 'USD', 'hour'],
  ['£300 per day', 300, 300, 'GBP', 'day'],
  ['60–75k USD p.a.', 60_000, 75_000, 'USD', 'year'],
  ['C$70k', 70_000, 70_000, 'CAD', 'year'],
])('the salary “%s” is read', (text, minimum, maximum, currency, period) => {
  expect(readSalary(text, known)).toEqual({ minimum, maximum, currency, period })
})

test.each([
  ['Competitive', 'We can’t read the salary “Competitive”'],
  ['60,000 to 70,000 EUR, 13 times', 'We can’t read the salary'],
  ['60.000 EUR', '“60.000” could be 60 or 60,000'],
  ['60000', 'The salary “60000” doesn’t say its currency, such as EUR or USD'],
  ['60000 EUR or 70000 USD', 'doesn’t say its currency'],
  ['25 EUR', 'doesn’t say if it’s for a year, month or hour'],
])('the salary “%s” isn’t guessed', (text, sentence) => {
  expect(() => readSalary(text, known)).toThrow(sentence)
})

test('a plain $ depends on the country, unless the row’s own columns say more', () => {
  expect(readSalary('$60,000', { ...known, country: 'CA' })).toMatchObject({ currency: 'CAD' })
  expect(() => readSalary('$60,000', { ...known, country: 'MX' })).toThrow('currency')
  expect(readSalary('$30', { currency: 'MXN', country: 'MX', period: 'hour' })).toMatchObject({
    ...{ currency: 'MXN', period: 'hour' },
  })
})
