import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Redis } from 'ioredis'
import { createTransport } from 'nodemailer'
import pg from 'pg'
import { expect, test } from 'vitest'
import { featureConfig, SETTING_NAMES as known, readConfig } from './config.server.ts'

test('the site runs on this machine with its own database without any setting', () => {
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

test('features get no password and no key', () => {
  const config = readConfig({
    SECRET_KEY: 'geheim'.repeat(6),
    METRICS_TOKEN: 'geheim'.repeat(6),
    DATABASE_URL: 'postgres://kettle:geheim@db/kettle',
    REDIS_URL: 'redis://:geheim@redis',
    SMTP_URL: 'smtp://user:geheim@mail.example',
    AUTH_SIGNING_KEYS: '[{"d":"geheim"}]',
  })
  expect(JSON.stringify(config)).toContain('geheim')
  const shown = featureConfig(config)
  expect(JSON.stringify(shown)).not.toContain('geheim')
  expect(shown).toMatchObject({ siteName: 'Kettle', flags: config.flags })
})

test('a database of its own starts with real companies only', () => {
  expect(readConfig({ DATABASE_URL: 'postgres://db/kettle' }).starter).toBe('companies')
})

test('a sign-up waits for its mail if mails go out, unless the operator says otherwise', () => {
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

test.each(['on', 'true', 'yes'])('%s turns a part of the site on, and its opposite off', (on) => {
  const off = { on: 'off', true: 'false', yes: 'no' }[on]
  for (const [value, isOn] of [
    [on, true],
    [off, false],
  ] as const)
    expect(
      readConfig({ ENABLE_JOBS: value, RATE_LIMITS: value, AUTH_AUTOCONFIRM: value }),
    ).toMatchObject({
      flags: { enableJobs: isOn },
      hasRateLimits: isOn,
      auth: { autoconfirm: isOn },
    })
})

test('the proxies are a number or addresses', () => {
  const proxies = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }).trustProxy
  expect(proxies('')).toBe(false)
  expect(proxies('off')).toBe(false)
  expect(proxies('true')).toBe(true)
  expect(proxies('2')).toBeTypeOf('function')
  for (const addresses of ['10.0.0.1', '::1', '10.0.0.0/8, fd00::/8', 'loopback'])
    expect(proxies(addresses)).toBe(addresses)
})

test('an empty value counts as not set', () => {
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

test('no other site’s script loads, and no other address shows, unless the operator sets it', () => {
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

const of =
  (name: string) =>
  (value: string): [string, string] => [name, value]

test.each<[string, string]>([
  ...['70000', 'http', '3,000', '0x50', '1e3', '80/tcp', '-1', '/run/kettle.sock'].map(of('PORT')),
  ...['localhost:3000', '0.0.0.0:80', 'http://127.0.0.1', '*', '/run/kettle.sock'].map(of('HOST')),
  ['HOST', '127.0.0.1,::1'],
  ['SITE_URL', 'kettle.example'],
  ['SITE_URL', 'https://kettle.example/path'],
  ['SITE_URL', 'https://user@kettle.example'],
  ['SITE_URL', 'https://kettle.example//'],
  ['SITE_URL', 'https:/kettle.example'],
  ['SITE_URL', 'https://kettle.example, https://samovar.example'],
  ...['a\nb', 'x'.repeat(41)].map(of('SITE_NAME')),
  ['ONION_URL', `https://${'a'.repeat(55)}d.onion`],
  ['ONION_URL', `http://${'a'.repeat(16)}.onion`],
  ['ONION_URL', `http://${'a'.repeat(56)}.onion`],
  ['ONION_URL', `http://${'a'.repeat(55)}d.onion/path`],
  ['ONION_URL', `http://${'a'.repeat(55)}d.onion.example`],
  ['ENABLE_JOBS', 'perhaps'],
  ['NODE_ENV', 'Production'],
  ['ADMIN_SECOND_FACTOR', 'yes'],
  ...['~/kettle', '$HOME/kettle', 'file:///var/lib/kettle', 'a\0b'].map(of('DATA_DIR')),
  ...['~/backups', 'S3://bucket', 'https://backups.example'].map(of('BACKUP_TO')),
  ['LEGAL_NOTICE_HOURS', '24h'],
  ['RATING_BATCH', '1,000'],
  ['SECRET_KEY', ' '.repeat(40)],
  ['METRICS_TOKEN', 'ü'.repeat(40)],
  ['DATABASE_URL', 'postgres://kettle:hush@db:70000/kettle'],
  ['DATABASE_URL', 'postgres://kettle:hush@[::1/kettle'],
  ['DATABASE_URL', 'postgres://kettle:%ff@db/kettle'],
  ['DATABASE_URL', '/run/postgresql kettle'],
  ...['redis://', 'redis:///run/redis.sock', 'redis://:hush@host:http'].map(of('REDIS_URL')),
  ...['smtp://', 'smtp://olga:hush@', 'smtps://mail.example:99999'].map(of('SMTP_URL')),
  ['RATE_LIMITS', '1'],
  ['TRUST_PROXY', 'nginx'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '10.0.0.1, '],
  ['MAIL_FROM', 'Kettle <kettle>'],
  ['MAIL_FROM', 'a@b.example, c@d.example'],
  ['STARTER', 'everything'],
  ['LOG_LEVEL', 'loud'],
  ['RATING_MIN_SHOWN', '0'],
  ['RATING_MIN_SHOWN', '2.5'],
  ['RATING_BATCH', '0'],
  ['NIGHTLY_AT', '24:00'],
  ['BACKUP_TO', 's3:bucket/folder'],
  ['S3_URL', 'https://s3.example/bucket'],
  ['CONTACT_DOMAIN', 'not a domain'],
  ['SECURITY_CONTACT', 'security@kettle.example'],
  ['ISSUER_WITNESSES', 'keys.samovar.example'],
  ['ISSUER_WITNESSES', 'https://keys.samovar.example/;img-src'],
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
    new RegExp(`^The setting ${name} is invalid: must [^\\n]+\\.$|encoded: `),
  )
})

test.each([
  ['HOST', '[::1]', '::1'],
  ['HOST', '::', '::'],
  ['PORT', ' 80 ', '80'],
  ['PORT', '0', '0'],
  ['ENABLE_JOBS', 'TRUE', 'on'],
  ['RATE_LIMITS', 'Off ', 'off'],
  ['LOG_LEVEL', 'INFO', 'info'],
  ['STARTER', 'None', 'none'],
  ['TRUST_PROXY', 'On', 'on'],
  ['WORKERS', 'Auto', 'auto'],
  ['SITE_URL', '\u00a0https://kettle.example/\u200b', 'https://kettle.example'],
  ['SMTP_URL', '\ufeffsmtp://mail.example\r\n', 'smtp://mail.example'],
  ['OWNER_EMAIL', ' olga@kettle.example', 'olga@kettle.example'],
  ['DATA_DIR', './data \u2060', './data'],
  ['MAIL_OUTBOX_DAYS', ' ', ''],
  ['SITE_NAME', '\u200b', ''],
])('%s=%o means %o', (name, written, meant) => {
  const plain = (value: string) => JSON.stringify(readConfig({ [name]: value }))
  expect(plain(written)).toBe(plain(meant))
})

test('a key keeps its spaces, because it opens what’s stored', () => {
  const SECRET_KEY = ` ${'s'.repeat(32)}\n`
  expect(readConfig({ SECRET_KEY }).secretKey).toBe(SECRET_KEY)
})

const ENCODED = ['hush%40home', 'a%2Fb', 'a%3Fb', 'a%23b', '100%25', 'a b%2F', "!$&'()*+,;=:[]@~ü"]
test.each(ENCODED)('a password may have any character: %s', (password) => {
  const meant = decodeURIComponent(password)
  const { databaseUrl, redisUrl, mail } = readConfig({
    DATABASE_URL: `postgres://kettle:${password}@db.example:5432/kettle`,
    REDIS_URL: `redis://:${password}@counts.example`,
    SMTP_URL: `smtp://olga:${password}@mail.example`,
  })
  expect(new pg.Client({ connectionString: databaseUrl })).toMatchObject({
    host: 'db.example',
    password: meant,
  })
  const redis = new Redis(redisUrl ?? '', { lazyConnect: true })
  expect(redis.options).toMatchObject({ host: 'counts.example', password: meant })
  const { transporter } = createTransport(mail.smtpUrl)
  expect(transporter).toMatchObject({
    options: { host: 'mail.example', auth: { user: 'olga', pass: meant } },
  })
})

test.each(['a/b', 'a?b', 'a#b', '100%', 'a#b@c', 'a/b@c'])(
  'a character that would end the password early has to be encoded: %s',
  (password) => {
    for (const [name, scheme] of [
      ['DATABASE_URL', 'postgres'],
      ['REDIS_URL', 'rediss'],
      ['SMTP_URL', 'smtp'],
    ] as const)
      expect(() => readConfig({ [name]: `${scheme}://kettle:${password}@db.example` })).toThrow(
        new RegExp(`^The setting ${name} is invalid: has a character that must be encoded: `),
      )
  },
)

test.each([
  'postgres:///kettle?host=/run/postgresql',
  'postgresql://kettle@/kettle?host=/run/postgresql&application_name=a%40b',
  'postgres://%2Frun%2Fpostgresql/kettle',
  'postgres://kettle:h%40sh@%2Frun%2Fpostgresql/kettle',
  'postgres://kettle:hush@[::1]:5432/kettle?sslmode=verify-full',
])('a database can be behind a socket, or at an IPv6 address: %s', (DATABASE_URL) => {
  expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
})

test('a site at an IPv6 address still has email addresses', () => {
  const { contactDomain, mail } = readConfig({ SITE_URL: 'http://[::1]:3000' })
  expect(contactDomain).toBe('kettle.example')
  expect(mail.from).toBe('Kettle <no-reply@kettle.example>')
})

test.each([
  'DATABASE_URL',
  'DATABASE_LISTEN_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'SECRET_KEY',
  'AUTH_SIGNING_KEYS',
  'SMTP_URL',
  'METRICS_TOKEN',
])('a bad value of %s isn’t printed, because it has a password or key', (name) => {
  expect(() => readConfig({ [name]: 'mysql://me:hush@db' })).toThrow(
    new RegExp(`^The setting ${name} is invalid: [^\\n]+\\.$`),
  )
})

test('the site has one process by default, and auto makes one for each core', () => {
  const DATABASE_URL = 'postgres://kettle@127.0.0.1/kettle'
  expect(readConfig({}).workers).toBe(1)
  expect(readConfig({ WORKERS: '3', DATABASE_URL }).workers).toBe(3)
  expect(readConfig({ WORKERS: 'auto', DATABASE_URL }).workers).toBe(availableParallelism())
})

/** A value of each that changes something, in the order of the schema. */
const OTHERS: Record<string, string> = {
  NODE_ENV: 'development',
  HOST: '0.0.0.0',
  PORT: '4000',
  WORKERS: '3',
  TRUST_PROXY: '1',
  LOG_LEVEL: 'debug',
  METRICS_TOKEN: 'm'.repeat(32),
  SITE_NAME: 'Samovar',
  SITE_URL: 'https://samovar.example',
  ONION_URL: `http://${'samovar'.repeat(7)}234567d.onion`,
  FALLBACK_URL: 'https://samovar.host.example',
  CONTACT_DOMAIN: 'mail.samovar.example',
  ISSUER_WITNESSES: 'https://keys.samovar.example/list.json',
  SECURITY_CONTACT: 'mailto:security@samovar.example',
  ANALYTICS_ID: 'G-ABC123DEF4',
  STARTER: 'none',
  DATA_DIR: '/var/lib/samovar',
  DATABASE_URL: 'postgres://other/samovar',
  DATABASE_CONNECTIONS: '20',
  DATABASE_LISTEN_URL: 'postgres://listen/samovar',
  DATABASE_STATEMENT_NAMES: 'off',
  DATABASE_REPLICA_URL: 'postgres://standby/samovar',
  NIGHTLY_AT: '04:15',
  BACKUP_TO: 's3://samovar/backups',
  S3_URL: 'https://s3.samovar.example',
  S3_REGION: 'eu-central-1',
  S3_ACCESS_KEY: 'samovar',
  S3_SECRET_KEY: 'hush',
  SECRET_KEY: 's'.repeat(32),
  AUTH_SIGNING_KEYS: '[{"kty":"EC"}]',
  OWNER_EMAIL: 'olga@samovar.example',
  ADMIN_SECOND_FACTOR: 'required',
  AUTH_AUTOCONFIRM: 'false',
  AUTH_ACCESS_TOKEN_SECONDS: '60',
  AUTH_REDIRECT_URLS: 'https://app.samovar.example',
  SMTP_URL: 'smtp://mail.samovar.example',
  MAIL_FROM: 'Samovar <tea@samovar.example>',
  MAIL_OUTBOX_DAYS: '7',
  RATE_LIMITS: 'off',
  REDIS_URL: 'redis://counts',
  PROOF_OF_WORK: '0',
  RATING_MIN_SHOWN: '5',
  RATING_BATCH: '1',
  LEGAL_NOTICE_HOURS: '48',
  LOGO_SEARCH: 'off',
  MARKET_MOVERS_URL: 'https://movers.example/',
  MARKET_MOVERS_NAME: 'Movers',
  ENABLE_COMPANIES: 'false',
  ENABLE_DISCUSSIONS: 'false',
  ENABLE_JOBS: 'true',
  ENABLE_PROFILE: 'false',
  ENABLE_SETTINGS: 'false',
  ENABLE_NOTIFICATIONS: 'false',
  ENABLE_ALERTS: 'false',
  ENABLE_DASHBOARD: 'false',
}

const ROOT = new URL('../../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

const isTest = (path: string) =>
  /\.(test|proof|fixture|journey)\.tsx?$/.test(path) || /^tests\//.test(path)
const sources = ['app', 'scripts', 'tests']
  .flatMap((room) =>
    readdirSync(new URL(room, ROOT), { recursive: true }).map((path) => `${room}/${path}`),
  )
  .filter((path) => /\.(m?js|tsx?)$/.test(path) && !/node_modules|operations\/config\./.test(path))
const program = sources.filter((path) => !isTest(path)).map(textOf)
const tests = sources.filter(isTest).map(textOf)

/** What the program calls a setting: `port`, or `autoconfirm` of `auth`. */
function propertiesOf(name: string) {
  const leaves = (settings: Record<string, string>) =>
    Object.entries(readConfig(settings)).flatMap(([top, value]) =>
      value?.constructor === Object
        ? Object.entries(value).map(([leaf, it]) => [top, leaf, String(it)])
        : [[top, top, String(value)]],
    )
  const base = { DATABASE_URL: 'postgres://db/kettle' }
  const before = new Set(leaves(base).map(String))
  return leaves({ ...base, [name]: OTHERS[name] ?? '' }).filter((it) => !before.has(String(it)))
}

test('a key that’s copied from the docs stops the start, because everyone knows it', () => {
  const [sample = ''] = /^SITE_URL=.*?(?=^END)/ms.exec(textOf('docs/operations.md')) ?? []
  const settings = Object.fromEntries(sample.split('\n').map((line) => line.split(/=(.*)/, 2)))
  expect(() => readConfig(settings)).toThrow(/^The setting SECRET_KEY is invalid: /)
})

test.each(known)('%s changes what the program reads, and a test sets it', (name) => {
  const found = propertiesOf(name)
  expect(found).not.toEqual([])
  const isRead = (property = '') =>
    program.some((text) => new RegExp(`\\.${property}\\b|[{,]\\s*${property}\\b`).test(text))
  expect(found.filter(([top, leaf]) => isRead(top) && isRead(leaf))).toEqual(found)
  // `url` and `name` say too little: such a setting has to be set by its own name.
  const names = [name, ...found.map(([, leaf = '']) => leaf).filter((leaf) => /[A-Z]/.test(leaf))]
  expect(
    tests.some((text) => new RegExp(`\\b(?:${names.join('|')})\\b['"]?[:=,]`).test(text)),
  ).toBe(true)
})

test('.env.example and docs/operations.md name every setting, in the order of the schema', () => {
  expect(Object.keys(OTHERS)).toEqual(known)
  const example = [...textOf('.env.example').matchAll(/^#? ?([A-Z\d_]+)=/gm)]
  expect(example.map(([, name]) => name)).toEqual(known)
  const [, section = ''] = textOf('docs/operations.md').split('\n### All settings\n')
  const rows = section.split('\n#')[0]?.match(/^\| `.*?(?= \| )/gm) ?? []
  expect(rows.flatMap((cell) => cell.match(/[A-Z][A-Z\d_]+/g))).toEqual(known)
})
