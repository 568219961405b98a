import { expect, test } from 'vitest'
import { filtersOf, setFilters } from './job-filters.ts'
import { jobListAddress, jobListHref, wholeAmount } from './job-list-address.ts'

const acme = '5d2f6f0e-6d5c-4a5e-9f59-2f3a7c0a9b11'

test('a complete address of filters is read and written unchanged', () => {
  const address = {
    search: 'nurse',
    company: acme,
    place: 'Berlin',
    remote: 'hybrid',
    type: 'full-time',
    salary: 60_000,
    currency: 'EUR',
    within: 7,
    sort: 'salary',
    after: 'x',
  } as const
  const href = jobListHref(address)
  expect(href).toBe(
    `/jobs?search=nurse&company=${acme}&place=Berlin&remote=hybrid&type=full-time&salary=60000&currency=EUR&within=7&sort=salary&after=x`,
  )
  expect(jobListAddress(Object.fromEntries(new URL(href, 'http://x').searchParams))).toEqual(
    address,
  )
})

test('any text in an address leads to a list', () => {
  expect(
    jobListAddress({
      search: '  ',
      company: 'acme',
      place: '',
      remote: 'moon',
      type: 'slave',
      salary: '-1',
      currency: 'EUR',
      within: '2',
      sort: 'oldest',
      after: 'x'.repeat(501),
    }),
  ).toEqual({})
  expect(jobListAddress({ search: 'x'.repeat(300) }).search).toHaveLength(200)
  expect(jobListAddress({ salary: '60000', currency: 'XXL' })).toEqual({ salary: 60_000 })
})

test('a form sent without JavaScript works like a link', () => {
  expect(
    jobListHref(
      jobListAddress({
        search: '',
        place: ' Berlin ',
        remote: '',
        type: '',
        salary: '60,000',
        currency: 'usd',
        within: '',
        sort: 'newest',
      }),
    ),
  ).toBe('/jobs?place=Berlin&salary=60000')
  expect(jobListHref(jobListAddress({ currency: 'EUR' }))).toBe('/jobs')
})

test('amounts in filters are read as people write them', () => {
  expect(['60000', '60,000', '60 000', '60.000', '60’000', '60k', '60K'].map(wholeAmount)).toEqual(
    Array(7).fill(60_000),
  )
  expect(
    ['', '0', '-5', '6o', '60.5', '1e9', '999999999', '999999k', undefined].map(wholeAmount),
  ).toEqual(Array(9).fill(undefined))
})

test('each filter can be removed by itself', () => {
  const address = {
    search: 'nurse',
    company: acme,
    salary: 60_000,
    currency: 'EUR',
    within: 1,
    after: 'x',
  } as const
  expect(setFilters(address, 'Acme')).toEqual([
    {
      key: 'search',
      text: '“nurse”',
      href: `/jobs?company=${acme}&salary=60000&currency=EUR&within=1`,
    },
    {
      key: 'company',
      text: 'At Acme',
      href: '/jobs?search=nurse&salary=60000&currency=EUR&within=1',
    },
    {
      key: 'salary',
      text: 'At least €60,000 a year',
      href: `/jobs?search=nurse&company=${acme}&within=1`,
    },
    {
      key: 'within',
      text: 'Posted within a day',
      href: `/jobs?search=nurse&company=${acme}&salary=60000&currency=EUR`,
    },
  ])
  expect(setFilters({ sort: 'salary' })).toEqual([])
})

test('an alert keeps the wishes, and no order or page', () => {
  expect(filtersOf({ remote: 'remote', within: 7, sort: 'salary', after: 'x' })).toEqual({
    remote: 'remote',
  })
})
