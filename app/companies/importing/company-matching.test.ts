import { describe, expect, test } from 'vitest'
import { type Comparable, coreOf, likeness, nearCores } from './company-matching.ts'

const company = (name: string, more: Partial<Comparable> = {}): Comparable => ({
  name,
  aliases: [],
  site: null,
  ticker: null,
  ...more,
})
const like = (row: Comparable, other: Comparable) => {
  const found = likeness(row, other)
  return found?.is === 'perhaps' ? found.because : found?.is
}

describe('a row is the company that is here', () => {
  test.each([
    ['Tesla, Inc.', 'Tesla'],
    ['TESLA', 'Tesla'],
    ['Coca-Cola Company (The)', 'Coca-Cola'],
    ['Home Depot (The)', 'The Home Depot'],
    ['Levi Strauss', 'Levi Strauss & Co.'],
    ['Linde plc', 'Linde'],
    ['Philips N.V.', 'Philips'],
    ['Ferrovial S.p.A.', 'Ferrovial'],
    ['Fox Corporation (Class A)', 'Fox Corporation (Class B)'],
    ['Acme Common Stock', 'Acme Corp.'],
    ['Nestlé S.A.', 'Nestle'],
    ['AT&T Company AG', 'AT & T'],
    ['Lilly (Eli)', 'Eli Lilly'],
    ['McDonald’s', "McDonald's Corporation"],
    ['Amazon.com, Inc.', 'Amazon'],
    ['Johnson and Johnson', 'Johnson & Johnson'],
    ['Bank of America Corp /DE/', 'Bank of America'],
    ['Maersk A/S', 'Maersk'],
    ['Fanuc K.K.', 'Fanuc'],
    ['Infosys Pvt. Ltd.', 'Infosys'],
    ['Cemex, S.A.B. de C.V.', 'Cemex'],
    ['Saab AB (publ)', 'Saab'],
  ])(
    '%s is the existing %s, because they differ only by form, share class or punctuation',
    (one, other) => {
      expect(like(company(one), company(other))).toBe('same')
      expect(like(company(other), company(one))).toBe('same')
    },
  )

  test('a row with a company’s website is that company, whatever it’s called', () => {
    const there = company('Acme', { site: 'acme.com' })
    expect(like(company('Zenith', { site: 'acme.com' }), there)).toBe('same')
  })
})

describe('a row is perhaps a company that is here', () => {
  test.each([
    ['Abbott Laboratories', 'Abbott', 'longer-name'],
    ['Booking Holdings', 'Booking.com', 'longer-name'],
    ['Deere & Company', 'John Deere', 'longer-name'],
    ['Walt Disney Company (The)', 'Disney', 'longer-name'],
    ['Acme Group', 'Acme Holdings', 'longer-name'],
    ['Acenture', 'Accenture', 'one-letter'],
    ['Microsfot', 'Microsoft', 'one-letter'],
  ] as const)('%s and %s can be the same: %s', (one, other, because) => {
    expect(like(company(one), company(other))).toBe(because)
    expect(like(company(other), company(one))).toBe(because)
  })

  test('a row can match either one’s other name', () => {
    const google = company('Google', { aliases: ['Alphabet'] })
    expect(like(company('Alphabet Inc. (Class A)'), google)).toBe('alias')
    expect(like(google, company('Alphabet'))).toBe('alias')
  })

  test('a row can match by its ticker, even if that’s also the company’s name', () => {
    const row = company('Advanced Micro Devices', { ticker: 'AMD' })
    expect(like(row, company('AMD'))).toBe('ticker')
    expect(like(row, company('Another', { ticker: 'AMD' }))).toBe('ticker')
  })

  test('a row can match by its name with another website', () => {
    const there = company('Apollo', { site: 'apollo.de' })
    expect(like(company('Apollo Inc.', { site: 'apollo.com' }), there)).toBe('website')
    expect(like(company('Apollo Holdings', { site: 'apollo.com' }), there)).toBeUndefined()
  })
})

test.each([
  ['Acme', 'Acme 2'],
  ['Firm 3', 'Firm 4'],
  ['Visa', 'Vista'],
  ['Union Pacific', 'Union Carbide'],
  ['American Express', 'American Airlines'],
  ['Group', 'The Company'],
  ['3M', '3i'],
])('%s and %s are two companies', (one, other) => {
  expect(like(company(one), company(other))).toBeUndefined()
  expect(like(company(other), company(one))).toBeUndefined()
})

test('a name made only of legal forms or symbols stays as it is', () => {
  expect(coreOf('The Company')).toBe('company')
  expect(coreOf('茶')).toBe('茶')
  expect(coreOf('☕')).toBe('☕')
})

test('search keys are short, and numbers aren’t searched by their first digits', () => {
  expect(nearCores(company('Firm 17'))).toEqual({
    exact: ['firm17'],
    beginnings: [{ key: 'firm17', inside: true }],
  })
})
