import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig } from './config.server.ts'

test('no setting at all runs the site on this machine with its own database', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    siteName: 'Kettle',
    starter: 'demo',
    databaseUrl: undefined,
  })
  expect(config.dataDir).toMatch(/\/data$/)
})

test('Spec §1: every flag is on except enableJobs', () => {
  const { enableJobs, ...others } = readConfig({}).flags
  expect(enableJobs).toBe(false)
  expect(Object.values(others)).toEqual([true, true, true, true, true, true, true])
})

test('a database of its own starts with real companies only', () => {
  expect(readConfig({ DATABASE_URL: 'postgres://db/kettle' }).starter).toBe('companies')
})

test('signing up waits for its mail where mails go out, unless the operator says otherwise', () => {
  const autoconfirm = (settings: Record<string, string>) => readConfig(settings).auth.autoconfirm
  const SMTP_URL = 'smtp://mail.example'
  expect(autoconfirm({})).toBe(true)
  expect(autoconfirm({ SMTP_URL })).toBe(false)
  expect(autoconfirm({ SMTP_URL, AUTH_AUTOCONFIRM: 'true' })).toBe(true)
})

test('administrators need a second factor on a public site, unless the operator says otherwise', () => {
  const factorOf = (settings: Record<string, string>) => readConfig(settings).auth.adminSecondFactor
  const SITE_URL = 'https://kettle.example'
  expect(factorOf({})).toBe('offered')
  expect(factorOf({ SITE_URL: 'http://localhost:3000' })).toBe('offered')
  expect(factorOf({ SITE_URL })).toBe('required')
  expect(factorOf({ SITE_URL, ADMIN_SECOND_FACTOR: 'offered' })).toBe('offered')
  expect(factorOf({ ADMIN_SECOND_FACTOR: 'required' })).toBe('required')
})

test('an empty value is one that was not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' }).port).toBe(3000)
})

test('the market-movers page is a public one until the operator names another', () => {
  expect(readConfig({}).marketMovers).toEqual({
    name: 'TradingView',
    url: 'https://www.tradingview.com/markets/stocks-usa/market-movers-gainers/',
    isChosen: false,
  })
  const chosen = { MARKET_MOVERS_URL: 'http://127.0.0.1:8080/movers', MARKET_MOVERS_NAME: ' Ours ' }
  expect(readConfig(chosen).marketMovers).toEqual({
    name: 'Ours',
    url: 'http://127.0.0.1:8080/movers',
    isChosen: true,
  })
  // A name alone chooses no address.
  expect(readConfig({ MARKET_MOVERS_NAME: 'Ours' }).marketMovers.isChosen).toBe(false)
})

test('nothing of others loads, and no other address is offered, unless the operator says so', () => {
  const unset = readConfig({})
  expect([unset.analyticsId, unset.fallbackUrl]).toEqual([undefined, undefined])
  const set = readConfig({
    ANALYTICS_ID: 'G-ABC123DEF4',
    FALLBACK_URL: 'https://kettle.host.example/',
  })
  expect([set.analyticsId, set.fallbackUrl]).toEqual([
    'G-ABC123DEF4',
    'https://kettle.host.example',
  ])
})

test.each([
  ['PORT', '70000'],
  ['PORT', 'http'],
  ['SITE_URL', 'kettle.example'],
  ['SITE_URL', 'https://kettle.example/path'],
  ['SITE_URL', 'https://user@kettle.example'],
  ['ENABLE_JOBS', 'yes'],
  ['STARTER', 'everything'],
  ['LOG_LEVEL', 'loud'],
  ['RATING_MIN_SHOWN', '0'],
  ['RATING_MIN_SHOWN', '2.5'],
  ['RATING_BATCH', '0'],
  ['NIGHTLY_AT', '24:00'],
  ['CONTACT_DOMAIN', 'not a domain'],
  ['SECURITY_CONTACT', 'security@kettle.example'],
  ['ANALYTICS_ID', 'analytics'],
  ['ANALYTICS_ID', 'G-ABC123&id=other'],
  ['FALLBACK_URL', 'kettle.host.example'],
  ['FALLBACK_URL', 'https://kettle.host.example/path'],
  ['MARKET_MOVERS_URL', 'movers.example'],
  ['MARKET_MOVERS_URL', 'file:///etc/passwd'],
  ['MARKET_MOVERS_URL', 'https://olga@movers.example/'],
  ['MARKET_MOVERS_NAME', 'x'.repeat(41)],
  ['WORKERS', '0'],
  ['WORKERS', 'many'],
])('a bad value stops the start with one sentence that names it: %s=%s', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(
    new RegExp(
      `^The setting ${name} \\("${value.replaceAll('/', '\\/')}"\\) is invalid: [^\\n]+\\.$`,
    ),
  )
})

test.each([
  'DATABASE_URL',
  'REDIS_URL',
  'SECRET_KEY',
  'AUTH_SIGNING_KEYS',
  'SMTP_URL',
  'METRICS_TOKEN',
])('a bad value of %s is not printed: it holds a password or a key', (name) => {
  expect(() => readConfig({ [name]: 'mysql://me:hush@db' })).toThrow(
    new RegExp(`^The setting ${name} is invalid: [^\\n]+\\.$`),
  )
})

test('one process by default; auto makes one for each core', () => {
  const DATABASE_URL = 'postgres://kettle@127.0.0.1/kettle'
  expect(readConfig({}).workers).toBe(1)
  expect(readConfig({ WORKERS: '3', DATABASE_URL }).workers).toBe(3)
  expect(readConfig({ WORKERS: 'auto', DATABASE_URL }).workers).toBe(availableParallelism())
})

test('.env.example names every setting, and nothing else', () => {
  const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const named = [...example.matchAll(/^#? ?([A-Z_]+)=/gm)].map((match) => match[1])
  const source = readFileSync(new URL('./config.server.ts', import.meta.url), 'utf8')
  const known = [...source.matchAll(/^ {2}([A-Z_]+): /gm)].map((match) => match[1])
  expect(named.sort()).toEqual(known.sort())
})
