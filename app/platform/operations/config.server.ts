import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import '../http/url-can-parse.server.ts'
import { senderOf } from '../mail/address.ts'
import { FLAGS_BY_DEFAULT, type Flag } from './flags.ts'
import { type LiveSettings, THRESHOLDS } from './live-settings.ts'

/** A setting: its name in `.env`, and the values it accepts. */
interface Setting<Value = unknown, IsSecret = boolean> {
  name: string
  schema: z.ZodType<Value>
  isSecret: IsSecret
}

const setting = <Value>(name: string, schema: z.ZodType<Value>): Setting<Value, false> => ({
  name,
  schema,
  isSecret: false,
})

/** Contains a password or key, which mustn't end up in logs. Features don't get it, either. */
const secret = <Value>(name: string, schema: z.ZodType<Value>): Setting<Value, true> => ({
  name,
  schema,
  isSecret: true,
})

const ON = ['on', 'true', 'yes'] as const
const OFF = ['off', 'false', 'no'] as const
const onOrOff = z
  .string()
  .toLowerCase()
  .pipe(z.enum([...ON, ...OFF], { error: 'must be on or off' }))
  .transform((value) => ON.some((on) => on === value))

/** One of these words, in small or capital letters. */
const oneOf = <const Word extends string>(...words: Word[]) =>
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(words, { error: `must be ${words.join(', ').replace(/, (?=[^,]*$)/, ' or ')}` }))

const matching = (pattern: RegExp, problem: string) => z.string().regex(pattern, problem)

function wholeNumber(min: number, max: number, what = 'a number') {
  const error = `must be ${what} from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error))
}

const httpUrl = z
  .string()
  .refine(
    (value) =>
      URL.canParse(value) &&
      /^https?:\/\/[^/\\]/i.test(value) &&
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
  const isTrusted = onOrOff.safeParse(text)
  if (isTrusted.success) return isTrusted.data
  if (!/^\d+$/.test(text)) return text
  return (_address: string, hop: number) => hop < Number(text)
}

/** An address, or a range such as 10.0.0.0/8. */
function isProxyAddress(text: string) {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  return (
    version > 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}

const PROXY_RANGES = ['loopback', 'linklocal', 'uniquelocal']
const isProxies = (text: string) =>
  onOrOff.safeParse(text).success ||
  /^\d{1,3}$/.test(text) ||
  text
    .split(',')
    .map((each) => each.trim())
    .every((each) => PROXY_RANGES.includes(each) || isProxyAddress(each))

function isWebAddress(text: string) {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && !username && !password
}

/** One line, for titles and emails. */
const name = z
  .string()
  .max(40, 'must have at most 40 characters')
  .regex(/^\P{Cc}*$/u, 'must be a single line')

/** An address, or a name such as localhost. Brackets belong to URLs. */
const host = z
  .string()
  .transform((text) => text.replace(/^\[(.*)\]$/, '$1'))
  .refine(
    (text) => isIP(text) > 0 || /^[\w.-]+$/.test(text),
    'must be an address of this machine without a port, such as 127.0.0.1, 0.0.0.0 or ::1',
  )

const isFolder = (path: string) => !/^~(\/|$)|^\w{2,}:\/\/|\$[\w{]|\p{Cc}/u.test(path)
const UNREPLACED = 'Write it out, because ~ and $ aren’t replaced'

/** The importer's default source. */
const MARKET_MOVERS = 'https://www.tradingview.com/markets/stocks-usa/market-movers-gainers/'

/**
 * The URL of another server, with a name and password. An unencoded character would end the password early and make the
 * rest a host's name, which logs show.
 */
const serverUrl = (pattern: RegExp, problem: string) =>
  matching(pattern, problem)
    .refine(
      (url) => !/#|^\w+:\/\/[^/?]*[/?].*@/i.test(url) && isEncoded(url),
      'has a character that must be encoded: write @ as %40, / as %2F, ? as %3F, # as %23 and % as %25',
    )
    .refine(hasServer, 'must name a server, and a port up to 65535 if it names one')
    // Libraries decode other characters differently beside a space.
    .transform((url) => url.replaceAll(' ', '%20'))
const postgresUrl = serverUrl(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')

function isEncoded(text: string) {
  try {
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}

/** Only PostgreSQL has a default server, or one in a parameter. */
function hasServer(text: string) {
  const isPostgres = text.startsWith('postgres')
  const url = isPostgres ? text.replace('@/', '@socket/') : text
  return URL.canParse(url) && (isPostgres || new URL(url).hostname !== '')
}

const randomText = z
  .string()
  .min(32, 'must have at least 32 random characters')
  .regex(/\S/, 'must have at least 32 random characters')

const MAIL_FROM_FORM = 'must look like Kettle <no-reply@kettle.example>'

const SETTINGS = {
  // The server
  isDevelopment: setting(
    'NODE_ENV',
    // Libraries read it, too, so its case matters.
    z
      .enum(['production', 'development', 'test'], {
        error: 'must be production, development or test',
      })
      .default('production')
      .transform((mode) => mode === 'development'),
  ),
  host: setting('HOST', host.default('127.0.0.1')),
  port: setting('PORT', wholeNumber(0, 65535, 'a port number').default(3000)),
  /** How many processes share the port. */
  workers: setting(
    'WORKERS',
    matching(/^(auto|[1-9]\d?)$/i, 'must be auto or a number from 1 to 99')
      .default('1')
      .transform((text) => Number(text) || availableParallelism()),
  ),
  /** The proxies (how many, or which) that we trust to report a client's address for rate limits. */
  trustProxy: setting(
    'TRUST_PROXY',
    z
      .string()
      .refine(isProxies, 'must be a number of proxies, or their addresses, separated by commas')
      .default('false')
      .transform(trustedProxies),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent').default('info'),
  ),
  /** Opens /metrics to other machines. */
  metricsToken: secret(
    'METRICS_TOKEN',
    matching(
      /^[!-~][ -~]{30,}[!-~]$/,
      'must have at least 32 random characters, without accents',
    ).optional(),
  ),

  // The site
  siteName: setting('SITE_NAME', name.default('Kettle')),
  /** The public URL. Features ask `siteUrl()`, which knows the port if this isn't set. */
  siteUrl: setting('SITE_URL', httpUrl.optional()),
  /** The same site as a Tor onion service, reached without TLS. D70. */
  onionUrl: setting(
    'ONION_URL',
    matching(
      // Version 3: a key, a checksum and the version, whose last letter is always d.
      /^http:\/\/([a-z0-9-]+\.)*[a-z2-7]{55}d\.onion\/?$/,
      'must be http:// followed by a version 3 onion address, with 56 characters before .onion',
    )
      .transform((value) => new URL(value).origin)
      .optional(),
  ),
  /** The hosting provider's subdomain of this site, for when the certificate fails. S21. */
  fallbackUrl: setting('FALLBACK_URL', httpUrl.optional()),
  /** The domain of the addresses in the legal pages. */
  contactDomain: setting(
    'CONTACT_DOMAIN',
    matching(/^[a-z0-9.-]+\.[a-z]{2,}$/i, 'must be a domain such as kettle.example').optional(),
  ),
  /** URLs that serve copies of the issuer's key list. */
  issuerWitnesses: setting(
    'ISSUER_WITNESSES',
    urls.refine(
      (urls) => urls.length <= 10 && urls.every((url) => /^https?:\/\/[^\s@?#;'"]+$/.test(url)),
      'must be up to 10 http or https URLs, separated by commas',
    ),
  ),
  /** Where to report a vulnerability. Without it, there's no security.txt. */
  securityContact: setting(
    'SECURITY_CONTACT',
    matching(
      /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
      'must be a mailto: or https: address',
    ).optional(),
  ),
  /** The analytics provider's id. Without it, nothing from others ever loads. S20. */
  analyticsId: setting(
    'ANALYTICS_ID',
    matching(
      /^(?:G|GT|AW|DC)-[A-Z0-9]{4,20}$/,
      'must be a measurement id such as G-ABC123DEF4',
    ).optional(),
  ),
  starter: setting('STARTER', oneOf('demo', 'companies', 'none').optional()),

  // Data
  dataDir: setting(
    'DATA_DIR',
    z
      .string()
      .refine(isFolder, `must be a folder’s path. ${UNREPLACED}`)
      .default('./data')
      .transform((path) => resolve(path)),
  ),
  databaseUrl: secret('DATABASE_URL', postgresUrl.optional()),
  /** Each connection takes a few MB. With the embedded database, that's on the site's own machine. */
  databaseConnections: setting('DATABASE_CONNECTIONS', wholeNumber(2, 200).optional()),
  /** Used for events and migrations. Default: `databaseUrl`. */
  databaseListenUrl: secret('DATABASE_LISTEN_URL', postgresUrl.optional()),
  /** False behind a pooler in transaction mode. */
  hasDatabaseStatementNames: setting('DATABASE_STATEMENT_NAMES', onOrOff.default(true)),
  /** A standby for reads that are the same for everyone. The embedded database has none. */
  databaseReplicaUrl: secret('DATABASE_REPLICA_URL', postgresUrl.optional()),
  /** When the nightly run begins, by the server's clock. */
  nightlyAt: setting(
    'NIGHTLY_AT',
    matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 03:30').default('03:30'),
  ),

  // Backups
  /** The folder for backups, or a bucket's. Default: a folder in `dataDir`. */
  backupTo: setting(
    'BACKUP_TO',
    z
      .string()
      .refine(
        (text) =>
          text.startsWith('s3:') ? /^s3:\/\/[a-z0-9][a-z0-9.-]+(\/|$)/.test(text) : isFolder(text),
        `must be a folder, or look like s3://bucket/folder. ${UNREPLACED}`,
      )
      .transform((text) => (text.startsWith('s3:') ? text : resolve(text)))
      .optional(),
  ),
  /** The S3-compatible storage behind `s3://` paths. */
  s3: {
    url: setting('S3_URL', httpUrl.optional()),
    region: setting('S3_REGION', z.string().default('us-east-1')),
    accessKey: secret('S3_ACCESS_KEY', z.string().optional()),
    secretKey: secret('S3_SECRET_KEY', z.string().optional()),
  },

  // Keys
  /** Every key except the tokens' is derived from it. Default: a file in `dataDir`. */
  secretKey: secret('SECRET_KEY', randomText.optional()),
  /** Private JWKs. The first one signs. Otherwise a file in `dataDir` has one. */
  signingKeys: secret(
    'AUTH_SIGNING_KEYS',
    z
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
  ),

  auth: {
    /** The owner's address. Its account is the owner's once it has a row in admin_users. S2. */
    ownerEmail: setting(
      'OWNER_EMAIL',
      matching(/^[^\s@]+@[^\s@]+\.[^\s@.]+$/, 'must be an email address').optional(),
    ),
    /** You don't need this to try the site on your own machine. D38. */
    adminSecondFactor: setting('ADMIN_SECOND_FACTOR', oneOf('required', 'offered').optional()),
    /**
     * Signing up logs in immediately. That's the default without a mail server, because no confirmation
     * would arrive. S23.
     */
    autoconfirm: setting('AUTH_AUTOCONFIRM', onOrOff.optional()),
    accessTokenSeconds: setting(
      'AUTH_ACCESS_TOKEN_SECONDS',
      wholeNumber(10, 86_400, 'a number of seconds').default(3600),
    ),
    /** The exact URLs outside the site that links may lead to. */
    redirectUrls: setting(
      'AUTH_REDIRECT_URLS',
      urls.refine(
        (urls) => urls.every((url) => URL.canParse(url)),
        'must be addresses separated by commas',
      ),
    ),
  },

  mail: {
    /** Without a mail server, emails become files in `dataDir`/outbox. S22. */
    smtpUrl: secret(
      'SMTP_URL',
      serverUrl(/^smtps?:\/\//, 'must start with smtp:// or smtps://').optional(),
    ),
    from: setting(
      'MAIL_FROM',
      z
        .string()
        .refine((text) => senderOf(text) !== undefined, MAIL_FROM_FORM)
        .optional(),
    ),
    /** How many days such a file stays after its own day. 0 keeps it. */
    outboxDays: setting('MAIL_OUTBOX_DAYS', wholeNumber(0, 3650).default(1)),
  },

  // Limits
  hasRateLimits: setting('RATE_LIMITS', onOrOff.default(true)),
  /** The Redis through which several hosts share their limits. */
  redisUrl: secret(
    'REDIS_URL',
    serverUrl(/^rediss?:\/\//, 'must start with redis:// or rediss://').optional(),
  ),
  /** How many numbers at most a visitor's browser must try before it may post. 0 turns this off. */
  proofOfWork: setting('PROOF_OF_WORK', wholeNumber(0, 10_000_000).default(60_000)),

  /** With fewer ratings, a company shows no number. */
  minShown: setting('RATING_MIN_SHOWN', wholeNumber(1, 1000).default(1)),
  /** How many people's ratings of a company are published together. 1 publishes each immediately. */
  ratingBatch: setting('RATING_BATCH', wholeNumber(1, 1000).default(THRESHOLDS.ratingBatch)),
  legalNoticeHours: setting('LEGAL_NOTICE_HOURS', wholeNumber(1, 720).default(24)),

  // Where companies come from
  /** Whether to fetch logos, from companies' own sites (Spec §5) and from an import's addresses. */
  hasLogoSearch: setting('LOGO_SEARCH', onOrOff.default(true)),
  /** Where Admin Tools reads company names. Spec §2.14. */
  marketMovers: {
    url: setting(
      'MARKET_MOVERS_URL',
      z
        .string()
        .max(1000, 'must have at most 1,000 characters')
        .refine(isWebAddress, 'must be an http or https URL without a username or password')
        .transform((value) => new URL(value).href)
        .optional(),
    ),
    name: setting('MARKET_MOVERS_NAME', name.default('TradingView')),
  },

  /** Parts of the site. `enableJobs` is ENABLE_JOBS. */
  flags: Object.fromEntries(
    Object.entries(FLAGS_BY_DEFAULT).map(([flag, isOn]) => [
      flag,
      setting(flag.replace('enable', 'ENABLE_').toUpperCase(), onOrOff.default(isOn)),
    ]),
  ) as Record<Flag, Setting<boolean, false>>,
}

const settingsIn = (part: object): Setting[] =>
  Object.values(part).flatMap((it) => ('schema' in it ? [it] : settingsIn(it)))
const BY_NAME = new Map(settingsIn(SETTINGS).map((setting) => [setting.name, setting]))

/** All of them, as `.env` names them. */
export const SETTING_NAMES: readonly string[] = [...BY_NAME.keys()]

type Values<Part> =
  Part extends Setting<infer Value> ? Value : { [Name in keyof Part]: Values<Part[Name]> }

const valuesIn = <Part extends object>(part: Part, read: (setting: Setting) => unknown) =>
  Object.fromEntries(
    Object.entries(part).map(([name, it]): [string, unknown] => [
      name,
      'schema' in it ? read(it) : valuesIn(it, read),
    ]),
  ) as Values<Part>

/** Without spaces at its ends and characters that no one sees. A key keeps them, because it opens what's stored. */
const meant = (name: string, text = '') =>
  name === 'SECRET_KEY' ? text : text.replace(/[\u200b\u2060\ufeff]/g, '').trim()

/** @throws ConfigError that names each invalid setting */
export function readConfig(environment: Record<string, string | undefined>) {
  const problems: string[] = []
  const environmentConfig = valuesIn(SETTINGS, ({ name, schema }) => {
    // An empty value in `.env` means "not set", as people expect of `NAME=`.
    const value = meant(name, environment[name]) || undefined
    const { data, error } = schema.safeParse(value)
    // Without the value, which may be a password in the wrong place.
    if (error) problems.push(`The setting ${name} is invalid: ${error.issues[0]?.message}.`)
    return data
  })
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))

  // Problems that depend on several settings.
  const { siteUrl, databaseUrl, auth, mail, marketMovers } = environmentConfig
  const siteHost = siteUrl && new URL(siteUrl).hostname
  // No address ends with an IPv6 address.
  const contactDomain =
    environmentConfig.contactDomain ??
    (siteHost && !siteHost.startsWith('[') ? siteHost : 'kettle.example')
  const live: LiveSettings = {
    siteName: environmentConfig.siteName,
    footerLinks: [],
    privacyEmail: `privacy@${contactDomain}`,
    legalEmail: `legal@${contactDomain}`,
    pressEmail: `press@${contactDomain}`,
    contactEmail: `contact@${contactDomain}`,
    operator: null,
    ...THRESHOLDS,
    ratingBatch: environmentConfig.ratingBatch,
    signUpMode: 'open',
    signUpDomains: [],
  }
  return {
    ...environmentConfig,
    ...live,
    /** The names of settings that `.env` or the environment has, even if they're the defaults. */
    inEnvironment: SETTING_NAMES.filter((name) => meant(name, environment[name])),
    contactDomain,
    starter:
      environmentConfig.starter ?? (databaseUrl ? ('companies' as const) : ('demo' as const)),
    databaseConnections: environmentConfig.databaseConnections ?? (databaseUrl ? 10 : 5),
    databaseReplicaUrl: databaseUrl && environmentConfig.databaseReplicaUrl,
    backupTo: environmentConfig.backupTo ?? join(environmentConfig.dataDir, 'backups'),
    auth: {
      ...auth,
      autoconfirm: auth.autoconfirm ?? mail.smtpUrl === undefined,
      adminSecondFactor:
        auth.adminSecondFactor ?? (siteUrl?.startsWith('https:') ? 'required' : 'offered'),
    },
    mail: {
      ...mail,
      from: mail.from ?? `${environmentConfig.siteName} <no-reply@${contactDomain}>`,
      /** The sender's name is the site's. */
      isFromSite: mail.from === undefined,
    },
    marketMovers: {
      ...marketMovers,
      url: marketMovers.url ?? MARKET_MOVERS,
      /** The operator's own URL is the only one that may be internal. */
      isChosen: marketMovers.url !== undefined,
    },
  }
}

export type Config = ReturnType<typeof readConfig>

type Entries = typeof SETTINGS
/** Secrets, and groups that contain one. */
type SecretName = {
  [Name in keyof Entries]: Extract<
    Entries[Name] | Entries[Name][keyof Entries[Name]],
    { isSecret: true }
  > extends never
    ? never
    : Name
}[keyof Entries]
export type FeatureConfig = Omit<Config, SecretName>

/** What features get. A secret hides its whole group. */
export function featureConfig(config: Config) {
  const isSecret = (entry: Entries[keyof Entries]) =>
    'schema' in entry ? entry.isSecret : Object.values(entry).some((it) => it.isSecret)
  const secrets = new Set(
    Object.entries(SETTINGS).flatMap(([name, entry]) => (isSecret(entry) ? [name] : [])),
  )
  return Object.fromEntries(
    Object.entries(config).filter(([name]) => !secrets.has(name)),
  ) as FeatureConfig
}

/** What's wrong with the settings or what they lead to, one a line. The start stops with its message. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
