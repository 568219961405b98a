import { expect, test } from 'vitest'
import { amountText } from '#app/kit/writing/currencies.ts'
import {
  arrangementText,
  daysLeft,
  locationsText,
  locationText,
  salaryText,
  timeLeftText,
} from './job-text.ts'

const year = { currency: 'EUR', period: 'year' as const }

test('a salary reads as people say it, with its currency once', () => {
  expect(salaryText({ ...year, minimum: 60_000, maximum: 75_000 })).toBe('€60,000–75,000 a year')
  expect(salaryText({ ...year, minimum: 60_000, maximum: 60_000 })).toBe('€60,000 a year')
  expect(salaryText({ ...year, currency: 'CHF', minimum: 9_000, maximum: 9_500 })).toBe(
    'CHF\u00a09,000–9,500 a year',
  )
  expect(salaryText({ minimum: 32.5, maximum: 40, currency: 'USD', period: 'hour' })).toBe(
    '$32.50–40.00 an hour',
  )
  expect(salaryText({ minimum: 20, maximum: 25, currency: 'GBP', period: 'hour' })).toBe(
    '£20–25 an hour',
  )
})

test('a list says millions, and the job’s page the whole number', () => {
  const yen = { minimum: 6_000_000, maximum: 8_500_000, currency: 'JPY', period: 'year' as const }
  expect(salaryText(yen)).toBe('¥6M–8.5M a year')
  expect(salaryText(yen, true)).toBe('¥6,000,000–8,500,000 a year')
})

test('an amount in an unknown currency has its code', () => {
  expect(amountText(60_000, 'EUR')).toBe('€60,000')
  expect(amountText(60_000, 'euro')).toBe('euro 60,000')
})

test('a place has its city and country, and a list of many shows the first two', () => {
  expect(locationText({ city: 'Lisbon', country: 'PT' })).toBe('Lisbon, Portugal')
  expect(locationText({ city: 'Lisbon', country: 'zz' })).toBe('Lisbon')
  expect(locationText({ city: '', country: 'PT' })).toBe('Portugal')
  const places = ['Lisbon', 'Porto', 'Faro', 'Braga'].map((city) => ({ city, country: 'PT' }))
  expect(locationsText(places)).toBe('Lisbon, Portugal · Porto, Portugal and 2 more')
  expect(locationsText(places.slice(0, 2))).toBe('Lisbon, Portugal · Porto, Portugal')
  expect(locationsText([])).toBe('')
})

test('a hybrid job says its days, and a remote one its countries', () => {
  const plain = { hybridDays: null, remoteRegions: [] }
  expect(arrangementText({ ...plain, remotePolicy: 'on-site' })).toBe('On-site')
  expect(arrangementText({ ...plain, remotePolicy: 'hybrid', hybridDays: 3 })).toBe(
    'Hybrid, 3 days a week in the office',
  )
  expect(arrangementText({ ...plain, remotePolicy: 'hybrid', hybridDays: 1 })).toBe(
    'Hybrid, 1 day a week in the office',
  )
  expect(arrangementText({ ...plain, remotePolicy: 'hybrid' })).toBe('Hybrid')
  expect(arrangementText({ ...plain, remotePolicy: 'remote' })).toBe('Remote, from anywhere')
  const from = (...remoteRegions: string[]) =>
    arrangementText({ ...plain, remotePolicy: 'remote', remoteRegions })
  expect(from('DE')).toBe('Remote, from Germany')
  expect(from('DE', 'AT', 'CH')).toBe('Remote, from Germany, Austria or Switzerland')
  expect(from('DE', 'AT', 'CH', 'LI')).toBe('Remote, from 4 countries')
})

test('a job’s remaining days come from the answer, whatever the browser’s clock says', () => {
  const posted = { postedOn: '2026-03-01', postedDaysAgo: 48, validThrough: '2026-04-30' }
  expect(daysLeft(posted)).toBe(12)
  expect(daysLeft({ ...posted, postedDaysAgo: 60 })).toBe(0)
  expect(daysLeft({ ...posted, validThrough: null })).toBeNull()
  expect([12, 1, 0].map(timeLeftText)).toEqual([
    'Open for 12 more days',
    'Open until tomorrow',
    'Open until the end of today',
  ])
})
