import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import '../http/url-can-parse.server.ts'
import { FLAGS, type Flag, type Flags } from './flags.ts'

const yesOrNo = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((value) => value === 'true')

type FlagSetting<F extends Flag> = F extends `enable${infer Part}`
  ? `ENABLE_${Uppercase<Part>}`
  : never

const settingOf = (flag: Flag) =>
  flag.replace('enable', 'ENABLE_').toUpperCase() as FlagSetting<Flag>

const flagSettings = Object.fromEntries(
  FLAGS.map((flag) => [settingOf(flag), yesOrNo.default(flag !== 'enableJobs')]),
) as Record<FlagSetting<Flag>, z.ZodDefault<typeof yesOrNo>>

function wholeNumber(min: number, max: number, what = 'a number') {
  const error = `must be ${what} from ${min} to ${max}`
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error)
}

const httpUrl = z
  .string()
  .refine(
    (value) =>
      URL.canParse(value) &&
      /^https?:$/.test(new URL(value).protocol) &&
      new URL(value).pathname === '/' &&
      !/[?#@]/.test(value),
    'must be an http or https URL without a path, for example https://kettle.example',
  )
  .transform((value) => new URL(value).origin)

const urls = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((url) => url.trim())
      .filter(Boolean),
  )

/** A number of proxies, or their addresses, as Fastify takes them. */
function trustedProxies(text: string) {
  if (text === 'false' || text === 'true') return text === 'true'
  if (!/^\d+$/.test(text)) return text
  return (_address: string, hop: number) => hop < Number(text)
}

function isWebAddress(text: string) {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && !username && !password
}

/** The importer's default source. */
const MARKET_MOVERS = 'https://www.tradingview.com/markets/stocks-usa/market-movers-gainers/'

const onOrOff = z.enum(['on', 'off'], { error: 'must be on or off' })

const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')

export const MAIL_FROM_FORM = 'must look like Kettle <no-reply@kettle.example>'

const settings = z.object({
  // The server
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: wholeNumber(0, 65535, 'a port number').default(3000),
  WORKERS: z
    .string()
    .regex(/^(auto|[1-9]\d?)$/, 'must be auto or a number from 1 to 99')
    .default('1'),
  TRUST_PROXY: z.string().default('false').transform(trustedProxies),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  METRICS_TOKEN: z.string().min(32, 'must have at least 32 random characters').optional(),

  // The site
  SITE_NAME: z.string().trim().min(1).max(40).default('Kettle'),
  SITE_URL: httpUrl.optional(),
  ONION_URL: z
    .string()
    .regex(
      // Version 3: a key, a checksum and the version, whose last letter is always d.
      /^http:\/\/([a-z0-9-]+\.)*[a-z2-7]{55}d\.onion\/?$/,
      'must be http:// followed by a version 3 onion address, with 56 characters before .onion',
    )
    .transform((value) => new URL(value).origin)
    .optional(),
  FALLBACK_URL: httpUrl.optional(),
  CONTACT_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+\.[a-z]{2,}$/i, 'must be a domain such as kettle.example')
    .optional(),
  ISSUER_WITNESSES: urls.refine(
    (urls) => urls.length <= 10 && urls.every((url) => /^https?:\/\/[^\s@?#;'"]+$/.test(url)),
    'must be up to 10 http or https URLs, separated by commas',
  ),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be a mailto: or https: address')
    .optional(),
  ANALYTICS_ID: z
    .string()
    .regex(/^(?:G|GT|AW|DC)-[A-Z0-9]{4,20}$/, 'must be a measurement id such as G-ABC123DEF4')
    .optional(),
  STARTER: z.enum(['demo', 'companies', 'none']).optional(),

  // Data
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((path) => resolve(path)),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_CONNECTIONS: wholeNumber(2, 200).optional(),
  DATABASE_LISTEN_URL: postgresUrl.optional(),
  DATABASE_STATEMENT_NAMES: onOrOff.default('on'),
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  NIGHTLY_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 03:30')
    .default('03:30'),

  // Keys
  SECRET_KEY: z.string().min(32, 'must have at least 32 random characters').optional(),
  AUTH_SIGNING_KEYS: z
    .string()
    .transform((text, check) => {
      try {
        const keys = JSON.parse(text)
        if (Array.isArray(keys) && keys.length > 0) return keys as Record<string, unknown>[]
      } catch {
        // Reported below.
      }
      check.addIssue({ code: 'custom', message: 'must be a JSON list of private keys (JWK)' })
      return z.NEVER
    })
    .optional(),

  // Accounts
  OWNER_EMAIL: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+\.[^\s@.]+$/, 'must be an email address')
    .optional(),
  ADMIN_SECOND_FACTOR: z
    .enum(['required', 'offered'], { error: 'must be required or offered' })
    .optional(),
  AUTH_AUTOCONFIRM: yesOrNo.optional(),
  AUTH_ACCESS_TOKEN_SECONDS: wholeNumber(10, 86_400, 'a number of seconds').default(3600),
  AUTH_REDIRECT_URLS: urls.refine(
    (urls) => urls.every((url) => URL.canParse(url)),
    'must be addresses separated by commas',
  ),

  // Mail
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().min(3, MAIL_FROM_FORM).optional(),
  MAIL_OUTBOX_DAYS: wholeNumber(0, 3650).default(1),

  // Limits
  RATE_LIMITS: onOrOff.default('on'),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must start with redis:// or rediss://')
    .optional(),
  PROOF_OF_WORK: wholeNumber(0, 10_000_000).default(60_000),

  // Ratings and notices
  RATING_MIN_SHOWN: wholeNumber(1, 1000).default(1),
  RATING_BATCH: wholeNumber(1, 1000).default(5),
  LEGAL_NOTICE_HOURS: wholeNumber(1, 720).default(24),

  // Where companies come from
  LOGO_SEARCH: onOrOff.default('on'),
  MARKET_MOVERS_URL: z
    .string()
    .max(1000, 'must have at most 1000 characters')
    .refine(isWebAddress, 'must be an http or https URL without a username or password')
    .transform((value) => new URL(value).href)
    .optional(),
  MARKET_MOVERS_NAME: z
    .string()
    .trim()
    .min(1)
    .max(40, 'must have at most 40 characters')
    .default('TradingView'),

  // Parts of the site
  ...flagSettings,
})

/** All of them, as `.env` names them. */
export const SETTING_NAMES: readonly string[] = Object.keys(settings.shape)

/** These contain passwords and keys, and output ends up in logs. */
const SECRET = new Set([
  'METRICS_TOKEN',
  'DATABASE_URL',
  'DATABASE_LISTEN_URL',
  'DATABASE_REPLICA_URL',
  'SECRET_KEY',
  'AUTH_SIGNING_KEYS',
  'SMTP_URL',
  'REDIS_URL',
])

/** @throws ConfigError that names each invalid setting */
export function readConfig(environment: Record<string, string | undefined>) {
  // An empty value in `.env` means "not set", as people expect of `NAME=`.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = settings.safeParse(given)
  if (!parsed.success) {
    // The first problem of each.
    const problems = new Map<string, string>()
    for (const { path, message } of parsed.error.issues) {
      const name = String(path[0])
      if (!problems.has(name)) problems.set(name, message)
    }
    throw invalidSettings(
      [...problems].map(([name, problem]) => ({ name, value: given[name], problem })),
    )
  }
  const s = parsed.data
  const isHttps = s.SITE_URL?.startsWith('https:') === true
  const contactDomain =
    s.CONTACT_DOMAIN ?? (s.SITE_URL ? new URL(s.SITE_URL).hostname : 'kettle.example')
  return {
    development: s.NODE_ENV === 'development',
    host: s.HOST,
    port: s.PORT,
    /** How many processes share the port. */
    workers: s.WORKERS === 'auto' ? availableParallelism() : Number(s.WORKERS),
    /** The proxies (how many, or which) whose word on a client's address counts for rate limits. */
    trustProxy: s.TRUST_PROXY,
    logLevel: s.LOG_LEVEL,
    /** Opens /metrics to callers from elsewhere. */
    metricsToken: s.METRICS_TOKEN,
    siteName: s.SITE_NAME,
    /** The public URL. Undefined until SITE_URL is set or the port is known. */
    siteUrl: s.SITE_URL,
    /** The same site as a Tor onion service, reached without TLS. D70. */
    onionUrl: s.ONION_URL,
    /** The hosting provider's subdomain of this site, for when the certificate fails. S21. */
    fallbackUrl: s.FALLBACK_URL,
    /** The domain of the addresses in the legal pages. */
    contactDomain,
    /** Where to report a vulnerability. Without it, there's no security.txt. */
    securityContact: s.SECURITY_CONTACT,
    /** URLs that hold copies of the issuer's list. */
    issuerWitnesses: s.ISSUER_WITNESSES,
    /** The analytics provider's id. Without it, nothing from others ever loads. S20. */
    analyticsId: s.ANALYTICS_ID,
    starter: s.STARTER ?? (s.DATABASE_URL ? ('companies' as const) : ('demo' as const)),
    dataDir: s.DATA_DIR,
    databaseUrl: s.DATABASE_URL,
    /** Each takes some MB, on the site's own machine for the embedded database. */
    databaseConnections: s.DATABASE_CONNECTIONS ?? (s.DATABASE_URL ? 10 : 5),
    /** Used for events and migrations. Default: `databaseUrl`. */
    databaseListenUrl: s.DATABASE_LISTEN_URL,
    /** False behind a pooler in transaction mode. */
    hasStatementNames: s.DATABASE_STATEMENT_NAMES === 'on',
    /** A standby for reads that are the same for everyone. The embedded database has none. */
    databaseReplicaUrl: s.DATABASE_URL && s.DATABASE_REPLICA_URL,
    /** When the nightly run begins, by the server's clock. */
    nightlyAt: s.NIGHTLY_AT,
    /** Every key except the tokens' is derived from it. Default: a file in `dataDir`. */
    secretKey: s.SECRET_KEY,
    auth: {
      /** Private JWKs. The first one signs. Otherwise a file in `dataDir` has one. */
      signingKeys: s.AUTH_SIGNING_KEYS,
      /** Signing up logs in at once. The default without a mail server, where no confirmation arrives. S23. */
      autoconfirm: s.AUTH_AUTOCONFIRM ?? s.SMTP_URL === undefined,
      accessTokenSeconds: s.AUTH_ACCESS_TOKEN_SECONDS,
      /** URLs outside the site that links may lead to, exactly. */
      redirectUrls: s.AUTH_REDIRECT_URLS,
      /** The owner's account, once it has a row in admin_users. S2. */
      ownerEmail: s.OWNER_EMAIL,
      /** Not needed to try the site on your own machine. D38. */
      adminSecondFactor: s.ADMIN_SECOND_FACTOR ?? (isHttps ? 'required' : 'offered'),
    },
    mail: {
      /** Without it, mails become files in `dataDir`/outbox. S22. */
      smtpUrl: s.SMTP_URL,
      /** How many days such a file stays after its own day. 0 keeps it. */
      outboxDays: s.MAIL_OUTBOX_DAYS,
      from: s.MAIL_FROM ?? `${s.SITE_NAME} <no-reply@${contactDomain}>`,
    },
    hasRateLimits: s.RATE_LIMITS === 'on',
    /** The Redis through which several hosts share their limits. */
    redisUrl: s.REDIS_URL,
    /** How many numbers a visitor's browser tries at most before it may post. 0 turns this off. */
    proofOfWork: s.PROOF_OF_WORK,
    /** With fewer ratings, a company shows no number. */
    ratingMinShown: s.RATING_MIN_SHOWN,
    /** How many people's ratings of a company are published together. 1 publishes each immediately. */
    ratingBatch: s.RATING_BATCH,
    legalNoticeHours: s.LEGAL_NOTICE_HOURS,
    /** Whether to look for missing logos on companies' own sites. Spec §5. */
    searchesLogos: s.LOGO_SEARCH === 'on',
    /** Where Admin Tools reads company names. Spec §2.14. */
    marketMovers: {
      name: s.MARKET_MOVERS_NAME,
      url: s.MARKET_MOVERS_URL ?? MARKET_MOVERS,
      /** The operator's own URL is the only one that may be internal. */
      isChosen: s.MARKET_MOVERS_URL !== undefined,
    },
    flags: Object.fromEntries(FLAGS.map((flag) => [flag, s[settingOf(flag)]])) as Flags,
  }
}

export type Config = ReturnType<typeof readConfig>

/** Invalid settings, one a line. The start stops with its message. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  /** @param withoutValues the same lines for reports that others may read */
  constructor(
    message: string,
    readonly withoutValues = [message],
  ) {
    super(message)
  }
}

export function invalidSettings(all: { name: string; value?: string; problem: string }[]) {
  const line = (name: string, problem: string) => `The setting ${name} is invalid: ${problem}.`
  return new ConfigError(
    all
      .map(({ name, value, problem }) =>
        line(value === undefined || SECRET.has(name) ? name : `${name} ("${value}")`, problem),
      )
      .join('\n'),
    all.map(({ name, problem }) => line(name, problem)),
  )
}
