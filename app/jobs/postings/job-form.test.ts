import { expect, test } from 'vitest'
import { COUNTRY_CODES, countries } from '#app/kit/writing/countries.ts'
import {
  amountIn,
  emptyJob,
  formProblems,
  isBlankJob,
  isSameJob,
  type JobDraft,
  jobDraftOf,
  jobInput,
  previewOf,
} from './job-form.ts'

const idempotencyKey = '5d2f6f0e-6d5c-4a5e-9f59-2f3a7c0a9b11'
const good: JobDraft = {
  ...emptyJob(idempotencyKey),
  title: 'Warehouse lead',
  description: 'You lead the night shift of our cold store, with eleven others.',
  places: [{ city: 'Lisbon', country: 'PT' }],
  minimum: '24,000',
  maximum: '30k',
  currency: 'EUR',
  tags: 'logistics, Night shift,logistics',
  link: 'acme.example/jobs/7',
}
const wrong = (part: Partial<JobDraft>) =>
  Object.fromEntries(Object.entries(formProblems({ ...good, ...part })).filter(([, it]) => it))

test('a complete job can be posted in the server’s format', () => {
  expect(wrong({})).toEqual({})
  expect(jobInput(good)).toEqual({
    title: 'Warehouse lead',
    description: good.description,
    places: [{ city: 'Lisbon', country: 'PT' }],
    remotePolicy: 'on-site',
    hybridDays: null,
    remoteRegions: [],
    employmentType: 'full-time',
    seniority: null,
    salary: { minimum: 24_000, maximum: 30_000, currency: 'EUR', period: 'year' },
    tags: ['logistics', 'Night shift'],
    apply: { link: 'https://acme.example/jobs/7', email: null },
  })
})

test('each error in the pay has its sentence below its field', () => {
  const pay = 'Please give a minimum and a maximum salary'
  expect(wrong({ minimum: '' })).toEqual({ minimum: pay })
  expect(wrong({ maximum: '' })).toEqual({ maximum: pay })
  expect(wrong({ minimum: '0' })).toEqual({ minimum: pay })
  expect(wrong({ minimum: 'a lot' })).toEqual({ minimum: pay })
  expect(wrong({ maximum: '20,000' })).toEqual({
    maximum: 'The maximum salary is below the minimum',
  })
  expect(wrong({ maximum: '200000k' })).toEqual({ maximum: 'A salary can be at most 100,000,000' })
  expect(wrong({ currency: 'XYZ' })).toEqual({
    currency: 'We don’t know this currency. Use a code such as EUR or USD.',
  })
})

test('each error in the way to apply has its sentence', () => {
  expect(wrong({ link: '' })).toEqual({
    link: 'Please give a link or an email address for applications',
  })
  // A scheme of its own isn't mistaken for a site's name.
  for (const link of ['javascript:alert(1)', 'ftp://acme.example/x', 'data:text/html,x'])
    expect(wrong({ link })).toEqual({
      link: 'The application page must start with http:// or https://',
    })
  expect(wrong({ applyBy: 'email', email: 'jobs' })).toEqual({
    email: 'This doesn’t look like an email address',
  })
  // A hidden field's value isn't sent.
  expect(wrong({ applyBy: 'email', email: 'jobs@acme.example' })).toEqual({})
})

test('title, text, places and tags say their limits', () => {
  expect(wrong({ title: 'abc' })).toEqual({ title: 'A title needs at least 4 characters' })
  expect(wrong({ title: 'x'.repeat(121) })).toEqual({
    title: 'A title can have at most 120 characters',
  })
  expect(wrong({ title: '– – –' })).toEqual({ title: 'A title needs letters or numbers' })
  expect(wrong({ description: 'Too short.' })).toEqual({
    description: 'A description needs at least 40 characters',
  })
  expect(wrong({ description: 'x'.repeat(20_001) })).toEqual({
    description: 'A description can have at most 20,000 characters',
  })
  expect(wrong({ tags: Array.from({ length: 11 }, (_, i) => i).join() })).toEqual({
    tags: 'A job can have at most 10 tags',
  })
  expect(wrong({ tags: 'x'.repeat(31) })).toEqual({ tags: 'A tag can have at most 30 characters' })
  expect(wrong({ places: [{ city: 'Lisbon', country: '' }] })).toEqual({
    places: 'Each place needs a city and a country',
  })
  expect(wrong({ places: Array(11).fill(good.places[0]) })).toEqual({
    places: 'A job can have at most 10 places',
  })
})

test('only a remote job needs no place, and a hybrid one says its days', () => {
  const nowhere = { places: [{ city: ' ', country: '' }] }
  expect(wrong(nowhere)).toEqual({ places: 'Please say where people work' })
  expect(wrong({ ...nowhere, remotePolicy: 'remote' })).toEqual({})
  expect(wrong({ remotePolicy: 'hybrid' })).toEqual({
    hybridDays: 'Please say how many days a week people are in the office, from 1 to 4',
  })
  expect(wrong({ remotePolicy: 'hybrid', hybridDays: '3' })).toEqual({})
  expect(wrong({ remotePolicy: 'remote', remoteRegions: COUNTRY_CODES.slice(0, 21) })).toEqual({
    remoteRegions: 'A job can have at most 20 countries. Leave them out if there are more.',
  })
})

test('fields of another way of working aren’t sent', () => {
  const both = { ...good, hybridDays: '3', remoteRegions: ['PT'] }
  expect(jobInput(both)).toMatchObject({ hybridDays: null, remoteRegions: [] })
  expect(jobInput({ ...both, remotePolicy: 'hybrid' })).toMatchObject({
    hybridDays: 3,
    remoteRegions: [],
  })
  expect(jobInput({ ...both, remotePolicy: 'remote' })).toMatchObject({
    hybridDays: null,
    remoteRegions: ['PT'],
  })
})

test('an existing job comes into its form and out of it unchanged', () => {
  for (const draft of [
    good,
    { ...good, remotePolicy: 'hybrid' as const, hybridDays: '2', seniority: 'lead' as const },
    { ...good, remotePolicy: 'remote' as const, remoteRegions: ['PT'], places: [] },
    { ...good, applyBy: 'email' as const, email: 'jobs@acme.example', link: '' },
  ]) {
    const input = jobInput(draft)
    expect(jobInput(jobDraftOf(input, idempotencyKey))).toEqual(input)
  }
})

test('amounts are read as people write them', () => {
  expect(['60,000', '60 000', '60k', '32.50', '60’000'].map(amountIn)).toEqual([
    60_000, 60_000, 60_000, 32.5, 60_000,
  ])
  expect(['', 'much', '-5', '1.234', '1e5'].map(amountIn)).toEqual([null, null, null, null, null])
  const tags = ' a ,, B,b ,  two   words'
  expect(jobInput({ ...good, tags }).tags).toEqual(['a', 'B', 'two words'])
})

test('an empty form is no draft, and its key doesn’t make a difference', () => {
  expect(isBlankJob(emptyJob(idempotencyKey))).toBe(true)
  expect(
    isBlankJob({ ...emptyJob(idempotencyKey), places: [{ city: 'Lisbon', country: '' }] }),
  ).toBe(false)
  expect(isSameJob(good, { ...good, idempotencyKey: 'another' })).toBe(true)
  expect(isSameJob(good, { ...good, title: 'Other' })).toBe(false)
})

test('a preview shows what’s filled in so far, and no nonsensical pay', () => {
  const company = { id: idempotencyKey, name: 'Acme', path: '/acme', logoUrl: null, rating: null }
  expect(previewOf(good, company).salary).toEqual({
    minimum: 24_000,
    maximum: 30_000,
    currency: 'EUR',
    period: 'year',
  })
  expect(previewOf({ ...good, maximum: '' }, company).salary?.maximum).toBe(24_000)
  expect(previewOf({ ...good, maximum: '3' }, company).salary).toBeNull()
  expect(previewOf(emptyJob(idempotencyKey), company).salary).toBeNull()
})

test('every country has one name, in alphabetical order', () => {
  expect(new Set(COUNTRY_CODES).size).toBe(250)
  const names = countries().map(({ name }) => name)
  expect(names.filter((name) => name.length <= 2)).toEqual([])
  expect(new Set(names).size).toBe(250)
  expect(names[0]).toBe('Afghanistan')
})

test('a draft needs only its title, and what it says has to be right', () => {
  const draft = (part: Partial<JobDraft>) =>
    Object.entries(
      formProblems({ ...emptyJob(idempotencyKey), title: 'Warehouse lead', ...part }, true),
    )
      .filter(([, problem]) => problem)
      .map(([field]) => field)
  expect(draft({})).toEqual([])
  expect(draft({ title: '' })).toEqual(['title'])
  expect(draft({ minimum: '5' })).toEqual([])
  expect(draft({ minimum: '5', maximum: '4' })).toEqual(['maximum'])
  expect(draft({ link: 'javascript:x' })).toEqual(['link'])
  expect(draft({ places: [{ city: 'Lisbon', country: '' }] })).toEqual(['places'])
  expect(draft({ remotePolicy: 'hybrid' })).toEqual([])
})
