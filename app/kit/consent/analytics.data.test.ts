import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ACCEPTED, type Consent, customized, PENDING, REJECTED, signalsOf } from './consent.ts'

const ID = 'G-TEST12345'

let scripts: string[]
let cookies: string[]

beforeEach(() => {
  scripts = []
  cookies = ['_ga=GA1.1.5', '_ga_TEST12345=GS1', 'other=1']
  vi.resetModules()
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('location', {
    origin: 'https://www.kettle.example',
    hostname: 'www.kettle.example',
    pathname: '/companies',
    search: '?search=secret',
  })
  vi.stubGlobal('document', {
    createElement: () => ({}),
    head: { append: ({ src }: { src: string }) => scripts.push(src) },
    get cookie() {
      return cookies.join('; ')
    },
    set cookie(text: string) {
      const [name] = text.split('=')
      if (text.includes('max-age=0') && text.endsWith('domain=kettle.example'))
        cookies = cookies.filter((cookie) => !cookie.startsWith(`${name}=`))
    },
  })
  for (const name of ['dataLayer', 'gtag', `ga-disable-${ID}`]) vi.stubGlobal(name, undefined)
})
afterEach(() => vi.unstubAllGlobals())

async function started() {
  const { decide } = await import('./consent.data.ts')
  const { startAnalytics } = await import('./analytics.data.ts')
  return { decide, ...startAnalytics(ID) }
}

/** What was told, in order. */
const told = () =>
  ((globalThis as { dataLayer?: ArrayLike<unknown>[] }).dataLayer ?? []).map((words) => [
    ...Array.from(words),
  ])
const isDisabled = () => (globalThis as Record<string, unknown>)[`ga-disable-${ID}`]

test('S20: everything is denied by default before an answer, and nothing loads', async () => {
  await started()
  expect(told()).toEqual([['consent', 'default', signalsOf(PENDING)]])
  expect(scripts).toEqual([])
  expect(isDisabled()).toBe(true)
})

test.each<[string, Consent, number]>([
  ['accepted', ACCEPTED, 1],
  ['rejected', REJECTED, 0],
  ['customized with analytics', customized({ ...PENDING.preferences, analytics: true }), 1],
  ['customized without', customized({ ...ACCEPTED.preferences, analytics: false }), 0],
])(
  'Spec §4, §7.4: the answer goes to the consent call, and the code comes only with analytics: %s',
  async (_, consent, count) => {
    const { decide } = await started()
    decide(consent)
    expect(told()[1]).toEqual(['consent', 'update', signalsOf(consent)])
    expect(scripts).toEqual(
      Array(count).fill('https://www.googletagmanager.com/gtag/js?id=G-TEST12345'),
    )
    expect(isDisabled()).toBe(count === 0)
  },
)

test('an answer from an earlier visit still counts', async () => {
  const { decide } = await import('./consent.data.ts')
  decide(ACCEPTED)
  await started()
  expect(told().slice(0, 2)).toEqual([
    ['consent', 'default', signalsOf(PENDING)],
    ['consent', 'update', signalsOf(ACCEPTED)],
  ])
  expect(scripts).toHaveLength(1)
})

test('a page counts once, by its path, and search texts stay here', async () => {
  const { decide, countPage } = await started()
  countPage('/before')
  decide(ACCEPTED)
  countPage('/companies')
  countPage('/discussions')
  const views = told().filter(([word, name]) => word === 'event' && name === 'page_view')
  expect(views.map(([, , view]) => view)).toEqual([
    { page_location: 'https://www.kettle.example/companies' },
    { page_location: 'https://www.kettle.example/discussions' },
  ])
  expect(JSON.stringify(told())).not.toContain('secret')
})

test('withdrawn consent stops the counting, and its cookies go', async () => {
  const { decide, countPage } = await started()
  decide(ACCEPTED)
  decide(REJECTED)
  countPage('/discussions')
  expect(told().at(-1)).toEqual(['consent', 'update', signalsOf(REJECTED)])
  expect(isDisabled()).toBe(true)
  expect(cookies).toEqual(['other=1'])
  // Once more: it is loaded already.
  decide(ACCEPTED)
  expect(scripts).toHaveLength(1)
  expect(isDisabled()).toBe(false)
})

test('no one else’s code comes to the page where dana sets a new password', async () => {
  Object.assign(location, { pathname: '/reset-password' })
  const { decide } = await started()
  decide(ACCEPTED)
  expect(scripts).toEqual([])
})
