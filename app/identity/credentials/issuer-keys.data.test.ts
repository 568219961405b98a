/** Which list of keys a browser takes: everyone's, as far as it can tell. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { digestsOf, ISSUER_VERSION, type ListedKey } from '#app/api/credential/issuer-list.ts'
import { forgetIssuerKeys, presentIssuerKey } from './issuer-keys.data.ts'
import {
  ForeignIssuer,
  isIssuingProblem,
  WitnessesSilent,
  WrongClock,
} from './issuing-problem.data.ts'

const keyOf = (quarter: string, by = 'a') => ({
  quarter,
  publicKey: by.repeat(126) + quarter.replaceAll(/\W/g, ''),
})
const FOUR = ['2026-Q3', '2026-Q4', '2027-Q1', '2027-Q2'].map((quarter) => keyOf(quarter))
const digestOf = (keys: ListedKey[]) => digestsOf(keys).at(-1) as string

interface Site {
  keys: ListedKey[]
  quarter?: string
  /** The digests that the site's pages name. */
  named?: ListedKey[]
  witnesses?: string[]
  /** What each witness has; without one it doesn't answer. */
  there?: Record<string, ListedKey[]>
  text?: string
}
let site: Site
const listOf = ({ keys, quarter = '2026-Q4', witnesses = [] }: Site) =>
  JSON.stringify({ version: ISSUER_VERSION, quarter, digest: digestOf(keys), keys, witnesses })
const fetched = vi.fn(async (url: string, _how: RequestInit) => {
  if (url === '/')
    return new Response(
      `<meta name="kettle-issuer" content="${digestOf(site.named ?? site.keys)}">`,
    )
  if (url === '/.well-known/kettle-issuer.json') return new Response(site.text ?? listOf(site))
  const keys = site.there?.[url]
  if (!keys) throw new TypeError('Failed to fetch')
  return new Response(listOf({ keys }))
})

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-26T12:00:00Z'), toFake: ['Date'] })
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('fetch', fetched)
  fetched.mockClear()
  site = { keys: FOUR }
})
afterEach(() => {
  forgetIssuerKeys()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error) => error,
  )
const whatOf = async () => {
  const problem = await problemOf(presentIssuerKey())
  return problem instanceof ForeignIssuer ? problem.what : problem
}

test('dana’s browser requests the list and a page that names it like anyone’s', async () => {
  expect(await presentIssuerKey()).toEqual(keyOf('2026-Q4'))
  expect(fetched.mock.calls).toEqual(
    ['/.well-known/kettle-issuer.json', '/'].map((url) => [
      url,
      { credentials: 'omit', cache: 'no-cache' },
    ]),
  )
})

describe('the quarter', () => {
  test.each(['2026-Q3', '2027-Q1'])(
    'a list with the neighboring quarter %s is accepted, because clocks are days off',
    async (quarter) => {
      site.quarter = quarter
      expect(await presentIssuerKey()).toEqual(keyOf(quarter))
    },
  )

  test.each(['2031-Q1', '2026-Q2', '2027-Q2'])(
    'a list with the quarter %s is refused, and the sentence says where to look',
    async (quarter) => {
      site = { keys: [keyOf('2026-Q2'), ...FOUR, keyOf('2031-Q1')], quarter }
      const problem = await problemOf(presentIssuerKey())
      expect(problem).toBeInstanceOf(WrongClock)
      expect(isIssuingProblem(problem)).toBe(true)
      expect(problem?.message).toContain('this device’s date')
    },
  )

  test('a device whose clock is a year off refuses the list until the clock is right', async () => {
    vi.setSystemTime('2027-11-26T12:00:00Z')
    await expect(presentIssuerKey()).rejects.toThrow(WrongClock)
    vi.setSystemTime('2026-11-26T12:00:00Z')
    expect(await presentIssuerKey()).toEqual(keyOf('2026-Q4'))
  })
})

describe('a list', () => {
  test.each([
    ['grew', [...FOUR, keyOf('2027-Q3')]],
    ['is the older one of a cache', FOUR.slice(0, 3)],
  ])('a list that %s is accepted, and known keys stay known', async (_, keys) => {
    await presentIssuerKey()
    site.keys = keys
    expect(await presentIssuerKey()).toEqual(keyOf('2026-Q4'))
    site.keys = FOUR.with(3, keyOf('2027-Q2', 'b'))
    expect(await whatOf()).toBe('key')
  })

  test.each([
    ['another key for this quarter', FOUR.with(1, keyOf('2026-Q4', 'b'))],
    ['another key for a quarter to come', FOUR.with(3, keyOf('2027-Q2', 'b'))],
    ['another order', [FOUR[1], FOUR[0], FOUR[2], FOUR[3]] as ListedKey[]],
    ['one key fewer in the middle', FOUR.toSpliced(2, 1)],
  ])('a list with %s is refused until dana accepts it', async (_, keys) => {
    await presentIssuerKey()
    site.keys = keys
    expect(await whatOf()).toBe('key')
    expect(await whatOf()).toBe('key')
    forgetIssuerKeys()
    expect(await presentIssuerKey()).toEqual(keys.find(({ quarter }) => quarter === '2026-Q4'))
  })

  test('a list with two keys for a quarter is refused, even if no key is known yet', async () => {
    site.keys = [...FOUR, keyOf('2026-Q4', 'b')]
    expect(await whatOf()).toBe('doubled')
    site.keys = FOUR
    expect(await presentIssuerKey()).toEqual(keyOf('2026-Q4'))
  })

  test.each([
    ['nothing', ''],
    ['no list', '<!doctype html>'],
    ['null', 'null'],
    ['no keys', listOf({ keys: FOUR }).replace(/"keys":\[.*\],/, '"keys":[],')],
    ['a wrong digest', listOf({ keys: FOUR }).replace(digestOf(FOUR), digestOf(FOUR.slice(1)))],
    ['a key of another length', listOf({ keys: FOUR }).replace('aaaa', 'aaa')],
    ['10 MB', listOf({ keys: FOUR }) + ' '.repeat(10_000_000)],
    ['a quarter it has no key for', listOf({ keys: FOUR, quarter: '2026-Q2' })],
  ])('a list that’s %s can’t be read', async (_, text) => {
    site.text = text
    await expect(presentIssuerKey()).rejects.toThrow('can’t be read')
  })

  test('a list known from before there were digests binds its keys', async () => {
    localStorage.setItem(
      'kettle-issuer',
      JSON.stringify({ '2026-Q4': keyOf('2026-Q4', 'b').publicKey }),
    )
    expect(await whatOf()).toBe('key')
    localStorage.setItem('kettle-issuer', JSON.stringify({ '2026-Q4': keyOf('2026-Q4').publicKey }))
    expect(await presentIssuerKey()).toEqual(keyOf('2026-Q4'))
  })
})

describe('public pages', () => {
  test('a public page can name an older list, if that has this quarter’s key', async () => {
    site.named = FOUR.slice(0, 2)
    expect(await presentIssuerKey()).toEqual(keyOf('2026-Q4'))
  })

  test.each([
    ['an older list, without this quarter’s key', FOUR.slice(0, 1)],
    ['another list', FOUR.with(1, keyOf('2026-Q4', 'b'))],
  ])('a public page that names %s is believed, and the list is refused', async (_, named) => {
    site.named = named
    expect(await whatOf()).toBe('page')
  })
})

describe('witnesses', () => {
  const [ONE, TWO] = ['https://one.example/list.json', 'https://two.example/list.json']

  test('one witness is asked, without a hint of who asks and not through a redirect', async () => {
    site = { keys: FOUR, witnesses: [ONE, TWO], there: { [ONE]: FOUR, [TWO]: FOUR } }
    expect(await presentIssuerKey()).toEqual(keyOf('2026-Q4'))
    const asked = fetched.mock.calls.filter(([url]) => url.startsWith('https'))
    expect(asked).toHaveLength(1)
    expect(asked[0]?.[1]).toMatchObject({ credentials: 'omit', redirect: 'error' })
  })

  test('a witness with an older copy is fine', async () => {
    site = { keys: FOUR, witnesses: [ONE], there: { [ONE]: FOUR.slice(0, 2) } }
    expect(await presentIssuerKey()).toEqual(keyOf('2026-Q4'))
  })

  test.each([
    ['other keys', FOUR.with(0, keyOf('2026-Q3', 'b'))],
    ['a copy without this quarter’s key', FOUR.slice(0, 1)],
  ])('a witness with %s is believed, and the list is refused', async (_, there) => {
    site = { keys: FOUR, witnesses: [ONE], there: { [ONE]: there } }
    expect(await whatOf()).toBe('witness')
  })

  test('silent witnesses are skipped, and if all are silent, the browser waits', async () => {
    site = { keys: FOUR, witnesses: [ONE, TWO], there: { [TWO]: FOUR } }
    expect(await presentIssuerKey()).toEqual(keyOf('2026-Q4'))
    site.there = {}
    expect(await problemOf(presentIssuerKey())).toBeInstanceOf(WitnessesSilent)
  })
})
