/** What a year's pay may be, as a form and the server check it. */
import { describe, expect, test } from 'vitest'
import fc from '#tests/support/fast-check.ts'
import { aPay } from '#tests/support/pay.ts'
import { areaName, areasIn, isArea } from './areas.ts'
import { coarse, PAY_REFUSALS } from './pay.ts'
import { amountIn, payMessage, payProblems } from './pay-input.ts'
import { TITLE_KEYS, titlesLike } from './titles.ts'

const TODAY = '2026-03-14'
const problemsOf = (over: object) =>
  Object.fromEntries(
    Object.entries(payProblems(aPay(over), TODAY)).filter(([, problem]) => problem),
  )

describe('pay that people give', () => {
  test('has no problem if it could be theirs', () => {
    expect(problemsOf({})).toEqual({})
    expect(problemsOf({ currency: 'JPY', base: 9_000_000 })).toEqual({})
    expect(problemsOf({ currency: 'INR', base: 4_000_000 })).toEqual({})
  })

  test('is asked about if it could be a month’s, and taken once that’s answered', () => {
    expect(problemsOf({ base: 6_200 })).toEqual({
      base: 'Is CHF\u00a06,200 a month? Give what you get in a year.',
    })
    expect(problemsOf({ base: 6_200, bonus: 0, isYearly: true })).toEqual({})
    expect(problemsOf({ base: 900, bonus: 0, isYearly: true })).toEqual({
      base: PAY_REFUSALS.tooLittle,
    })
  })

  test('is neither negative nor more than anyone gets, and equity isn’t a whole grant', () => {
    expect(problemsOf({ base: -5_000, isYearly: true })).toMatchObject({
      base: PAY_REFUSALS.negative,
    })
    expect(problemsOf({ bonus: -1 })).toEqual({ bonus: PAY_REFUSALS.negative })
    expect(problemsOf({ base: 12_000_000 })).toEqual({ base: PAY_REFUSALS.nobody })
    expect(problemsOf({ equity: 1_300_000 })).toEqual({ equity: PAY_REFUSALS.hugeEquity })
  })

  test('has a title, a place, a year and a currency that can be chosen', () => {
    for (const title of ['Petra Muster', '12 High Street', '']) {
      expect(problemsOf({ title })).toEqual({ title: PAY_REFUSALS.chooseTitle })
      expect(titlesLike(title || 'xyz')).toEqual([])
    }
    expect(problemsOf({ area: 'CH/gotham' })).toEqual({ area: PAY_REFUSALS.chooseArea })
    expect(problemsOf({ year: 2027 })).toEqual({ year: 'Choose a year from 2022 to 2026' })
    expect(problemsOf({ currency: 'XXY' })).toMatchObject({ currency: /currency/ })
  })

  test('is bound to its proof with every field', () => {
    const said = {
      companyId: 'c',
      quarter: '2026-Q1',
      holder: 'h',
      removal: 'r',
      mergedKeys: [],
      pay: aPay(),
      version: 1,
    }
    const before = payMessage(said).toString()
    const changed = Object.entries({
      ...{ year: 2025, title: 'nurse', area: 'CH/bern', currency: 'EUR', base: 1 },
      ...{ bonus: 1, equity: 1, experience: '20+', isYearly: true },
    }).map(([name, value]) => ({ ...said, pay: aPay({ [name]: value }) }))
    const others = [
      ...['companyId', 'quarter', 'holder', 'removal'].map((name) => ({ ...said, [name]: 'x' })),
      { ...said, mergedKeys: ['x'] },
      { ...said, version: 2 },
      { ...said, badge: { domain: 'acme.example' } },
    ]
    const all = [...changed, ...others].map((it) => payMessage(it).toString())
    expect(new Set([before, ...all]).size).toBe(1 + all.length)
  })
})

describe('amounts as people type them', () => {
  test.each([
    ['', 0],
    ['85000', 85_000],
    ['85,000', 85_000],
    ['85.000', 85_000],
    ['85’000.50', 85_000.5],
    ['85 000,5', 85_000.5],
    ['CHF 85k', 85_000],
    ['-3', -3],
    ['$ 85,000', PAY_REFUSALS.oneCurrency],
    ['85,000 EUR', PAY_REFUSALS.oneCurrency],
    ['a lot', PAY_REFUSALS.noAmount],
  ])('%s', (typed, amount) => {
    expect(amountIn(typed, 'CHF')).toBe(amount)
  })

  test('are kept to the nearest thousand', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), (amount) => {
        expect(coarse(amount) % 1_000).toBe(0)
        expect(Math.abs(coarse(amount) - amount)).toBeLessThanOrEqual(500)
      }),
    )
  })
})

describe('titles and places to choose from', () => {
  test.each([
    ['Sr. Frontend Dev', 'frontend-engineer'],
    ['swe', 'software-engineer'],
    ['software engineer III', 'software-engineer'],
    ['devops', 'site-reliability-engineer'],
    ['RN', 'nurse'],
    ['Physio', 'physiotherapist'],
    ['product man', 'product-manager'],
    ['CEO', 'chief-executive'],
    ['quality assurance', 'test-engineer'],
  ])('%s is a %s', (typed, key) => {
    expect(titlesLike(typed)[0]?.key).toBe(key)
  })

  test('each has its own key', () => {
    expect(new Set(TITLE_KEYS).size).toBe(TITLE_KEYS.length)
    for (const country of ['CH', 'US', 'AQ']) {
      const keys = areasIn(country).map(({ key }) => key)
      expect(new Set(keys).size).toBe(keys.length)
      expect(keys.every(isArea)).toBe(true)
    }
    expect(areaName('CH/zurich')).toBe('Zürich, Switzerland')
    expect(areaName('AQ/remote')).toBe('Remote, from Antarctica')
  })
})
