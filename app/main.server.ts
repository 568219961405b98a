/** Starts the site: config → database → mail → tasks → http. */
import { existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import closeWithGrace from 'close-with-grace'
import { LRUCache } from 'lru-cache'
import {
  type AuthSettings,
  actorOf,
  isAnonymousRead,
  type RequestIdentity,
} from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { preloadDummyHash } from '#app/api/auth/passwords.server.ts'
import { createRefreshTokenExchanges } from '#app/api/auth/refresh-token-exchanges.server.ts'
import { createRememberedActors } from '#app/api/auth/remembered-actors.server.ts'
import { createSpamChecks } from '#app/api/auth/spam-checks.server.ts'
import { createTokens, issuerOf, readSigningKeys } from '#app/api/auth/tokens.server.ts'
import type { Service } from '#app/api/feature.server.ts'
import { loadStarterThreads } from '#app/community/discussions/threads/starter-threads.server.ts'
import { addDemoClaim } from '#app/companies/claims/claim-commands.server.ts'
import { loadStarterCompanies } from '#app/companies/starter-companies.server.ts'
import { hasAdministrator } from '#app/identity/accounts/administrators/admin-commands.server.ts'
import {
  DEMO_OWNER,
  DEMO_PASSWORD,
  seedDemoPeople,
} from '#app/identity/accounts/demo-people.server.ts'
import { createSiteIssuer } from '#app/identity/credentials/issuer-keys.server.ts'
import { loadStarterJobs } from '#app/jobs/postings/starter-jobs.server.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import { migrate } from '#app/platform/database/migrate.server.ts'
import { openDatabase } from '#app/platform/database/open-database.server.ts'
import { createReplica } from '#app/platform/database/replica.server.ts'
import { checkSecrets, readSecrets, type Secrets } from '#app/platform/database/secrets.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { createWriteWatch, type WriteWatch } from '#app/platform/database/write-watch.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { projectFolder } from '#app/platform/folders.server.ts'
import {
  broadcastAnswerChange,
  createAnswerCache,
  onAnswerChange,
} from '#app/platform/http/answer-cache.server.ts'
import { builtAssets } from '#app/platform/http/built-assets.server.ts'
import { createHttp, type Http, isStream } from '#app/platform/http/http.server.ts'
import { openCounts } from '#app/platform/http/open-counts.server.ts'
import { createPageCache } from '#app/platform/http/page-cache.server.ts'
import { chooseLimitStore, createNetworkLimit } from '#app/platform/http/rate-limits.server.ts'
import { createSearches } from '#app/platform/http/searches.server.ts'
import { headersByHost } from '#app/platform/http/security-headers.server.ts'
import type { SharedCounts } from '#app/platform/http/shared-counts.server.ts'
import {
  explainListenError,
  openStartupServer,
  urlAt,
  whenDatabaseIsThere,
} from '#app/platform/http/startup-server.server.ts'
import { createMailer } from '#app/platform/mail/mail.server.ts'
import { createChosenSettings } from '#app/platform/operations/chosen-settings.server.ts'
import {
  type Config,
  ConfigError,
  type FeatureConfig,
  featureConfig,
  readConfig,
} from '#app/platform/operations/config.server.ts'
import { addressFindings, mailFindings } from '#app/platform/operations/doctor-settings.server.ts'
import { createHealthChecks } from '#app/platform/operations/health.server.ts'
import { THRESHOLDS } from '#app/platform/operations/live-settings.ts'
import {
  createMetrics,
  type Metrics,
  measuredDatabase,
  registerMetrics,
} from '#app/platform/operations/metrics.server.ts'
import { shutdownOf } from '#app/platform/operations/shutdown.server.ts'
import { isServedByOthers, primaryProcess } from '#app/platform/operations/worker.server.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import { loadStarterBenefits } from '#app/ratings/benefits/starter-benefits.server.ts'
import { loadStarterInterviews } from '#app/ratings/interviews/starter-interviews.server.ts'
import { applyMinShown } from '#app/ratings/score.server.ts'
import { loadStarterRatings } from '#app/ratings/starter-ratings.server.ts'
import type { AppClient } from '#app/site/pages/app-client.ts'
import { developmentPages } from '#app/site/pages/development.server.ts'
import { launchChecks } from '#app/site/site-settings/launch-checks.server.ts'
import { storedPicture } from '#app/site/site-settings/site-pictures.server.ts'
import { withSettings } from '#app/site/site-settings/site-settings.server.ts'
import { eventsOf, handleMails, handleTasks, registerRoutes } from './main.features.server.ts'

const clientFolder = join(projectFolder, 'dist/client')
/** How much of the ten seconds until the end pending answers get. The rest is for counters and the database. */
const ANSWERS_PATIENCE_MS = 7_000
const COUNTS_PATIENCE_MS = 1_000
const STOP_WITHIN_MS = 9_500
/**
 * Signals that end a process immediately. With a handler for crashes in native code, the process would hang
 * and no one would restart it.
 */
const NO_STOP: closeWithGrace.AllEvents[] = [
  'beforeExit',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGHUP',
  'SIGILL',
  'SIGQUIT',
  'SIGSEGV',
  'SIGTRAP',
  'SIGUSR2',
]
/** The latest delay for a thread's last event to other processes. */
const LAST_NEWS_MS = 50

/**
 * How many uncached pages a network gets. High enough for many people behind one address, and for search
 * engines.
 */
const PAGE_MISSES = { name: 'page-misses', uses: 300, seconds: 30 }
/** The queue for new connections. If it's full, clients try again after seconds. */
const CONNECTIONS_WAITING = 4_096
/**
 * Collects garbage when the heap has grown by a third. On a machine with spare memory, Node would wait until
 * the heap is four times as large. D24.
 */
const HEAP_GROWTH = '--heap-growing-percent=30'
const SEARCHES_AT_ONCE = 2

const HOW_TO_BEGIN =
  'This site has no administrator yet. Sign up, open the link that confirms your address, then run: npm run admin -- grant YOUR@ADDRESS'

const now = () => new Date()

async function start() {
  const config = readConfig(process.env)
  const secrets = await readSecrets(config)
  const metrics = createMetrics(readBuildInfo())
  const watch = createWriteWatch()
  let isThere = false
  // Until pages are ready, the port answers with "please wait". We skip this on a random port, which no one
  // knows yet, and on a shared one, where other workers answer.
  const startupServer =
    config.port === 0 || isServedByOthers()
      ? undefined
      : await openStartupServer(config, () => isThere)
  const open = async () => {
    const db = measuredDatabase(await openDatabase(config), {
      connections: config.databaseConnections,
      onStatement: metrics.statement,
      onFailure: watch.noteFailure,
    })
    isThere = true
    try {
      await prepareData(config, db, secrets)
      return db
    } catch (error) {
      isThere = false
      await db.close()
      throw error
    }
  }
  const db = await whenDatabaseIsThere(open, console.warn)
  metrics.watchDatabase(db.figures)
  const primary = primaryProcess(metrics.figures)
  if (primary) metrics.gather(primary.metrics)
  const counts = await openCounts(config, secrets, primary?.counts)
  chooseLimitStore(counts.counterOf)
  try {
    const app = await compose(config, { db, secrets, metrics, counts, watch })
    const { http, queue, mailer, base } = app
    await startupServer?.leave()
    const { host, port: wanted } = config
    await explainListenError(http.listen({ host, port: wanted, backlog: CONNECTIONS_WAITING }))
    queue.start()
    const port = portOf(http) ?? wanted
    // Before anyone knows that the process is ready, and may stop it.
    const stop = stopOnSignals(async (bug) => {
      // The stack without the message, which can name people.
      if (bug) http.log.fatal({ err: bug }, 'The process is stopping because of a bug')
      await finish(app)
      counts.close()
      await db.close()
    })
    primary?.onStop(stop)
    const forDevelopers = config.isDevelopment ? await developmentLines(config, base, port) : []
    const lines = [
      `${config.siteName} is ready at ${urlAt(host, port)}`,
      `Mail goes to ${mailer.describe}`,
      // This is just a hint. If it fails, the site starts anyway.
      ...((await hasAdministrator(base).catch(() => true)) ? [] : [HOW_TO_BEGIN]),
      ...forDevelopers,
    ]
    // Set only now, because collecting garbage during the start would cost half a second.
    setFlagsFromString(HEAP_GROWTH)
    if (primary) primary.ready(lines)
    else for (const line of lines) console.log(line)
  } catch (error) {
    counts.close()
    await db.close()
    throw error
  }
}

/** The schema, the matching keys, and the starter data. Harmless to repeat. */
async function prepareData(config: Config, db: OpenDatabase, secrets: Secrets) {
  await migrate(db)
  await checkSecrets(db, secrets)
  await loadStarterCompanies({ db, now }, config.starter)
  if (config.starter === 'demo') {
    await loadStarterThreads({ db, now, secrets })
    await loadStarterRatings({ db, now }, config)
    await loadStarterInterviews({ db, now })
    await loadStarterBenefits({ db, now })
    await loadStarterJobs({ db, now })
  }
  await applyMinShown(db, {
    today: dayOf(now()),
    minShown: config.minShown,
  })
}

/** Wires up everything that answers requests and runs tasks. */
async function compose(
  config: Config,
  parts: {
    db: OpenDatabase
    secrets: Secrets
    metrics: Metrics
    counts: SharedCounts
    watch: WriteWatch
  },
) {
  const { db, secrets, metrics, counts, watch } = parts
  const { hasRateLimits } = config
  /** Without a setting, we only know it for certain once the site listens. */
  const siteUrl = () => config.siteUrl ?? urlAt(config.host, portOf(http) ?? config.port)
  const environmentConfig = featureConfig(config)
  const settings = createChosenSettings()
  const live = withSettings(environmentConfig, settings)
  let siteConfig = siteOf(live, siteUrl)
  const auth = await authOf(config, { live, secrets, siteUrl })
  const development = config.isDevelopment ? await developmentPages(projectFolder) : undefined
  const pages = development ?? (await productionPages())
  const { assets } = pages
  const issuer = createSiteIssuer({ db, secrets, now }, config.issuerWitnesses)
  let api: AppClient
  const headers = headersByHost(config, assets.firstScript)
  const cache = createPageCache(
    (key) => pages.renderPage(key, siteConfig, api, assets, issuer.digest()),
    {
      headers: headers.own,
      onion: config.onionUrl
        ? { url: config.onionUrl, headers: headers.onion, isOnion: headers.isOnion }
        : undefined,
      keeps: !config.isDevelopment,
    },
  )
  const answers = config.isDevelopment ? undefined : createAnswerCache()
  const replica = replicaOf(config, db)
  // Drop the data first, then the pages made from it, so the next rendering shows the change.
  const forgetPages = (prefix: string) => {
    replica?.heard()
    answers?.forget(prefix)
    cache.forget(prefix)
  }
  const forgetThread = (threadId: string) => {
    replica?.heard()
    answers?.drop(threadId)
    cache.forgetThread(threadId)
  }
  settings.whenRead(() => {
    siteConfig = siteOf(live, siteUrl)
    forgetPages('/')
  })
  db.eventChannel.onChange((state) => {
    // We may have missed changes, so we mustn't send cached pages anymore.
    if (state === 'ok') forgetPages('/')
    cache.setChannelState(state)
    answers?.setChannelState(state)
  })
  if (answers)
    await onAnswerChange(db, (changed) => {
      replica?.heard()
      answers.drop(changed)
    })
  const http: Http = await createHttp({
    config,
    inlineScript: assets.firstScript,
    clientFolder: config.isDevelopment ? undefined : clientFolder,
    pages: {
      keyOf: (url) => pages.pageKey(url, config.flags),
      patternOf: pagePatterns(config.flags, pages.pathOf),
      cache,
      misses: createNetworkLimit({ ...PAGE_MISSES, isOn: hasRateLimits }),
      unavailable: (sentence) => pages.unavailablePage(sentence, assets, siteConfig),
    },
    answers,
    figures: metrics.answers,
  })
  counts.whenChanged((word) => {
    if (word === 'shared') http.log.warn('Limits are shared with other processes again')
    else http.log.warn('Redis is away, so this process counts limits alone')
  })
  if (replica) {
    metrics.watchReplica(replica.figures)
    http.addHook('onSend', async (request, reply) => {
      const isReading = request.method === 'GET' || request.method === 'HEAD'
      if (!isReading && reply.statusCode < 400) await replica.afterWrite()
    })
  }

  const queue = createQueue(db, { log: http.log })
  const base: ServerContext = {
    db,
    now,
    secrets,
    queue,
    events: eventsOf({ config: live }),
  }
  const reading: ServerContext = replica ? { ...base, db: replica.reads } : base
  const remembered = createRememberedActors({ db, secrets })
  const sources = { ...base, ...auth, remembered }
  const contextOf = async (identity: RequestIdentity): Promise<Ctx> => ({
    ...(isAnonymousRead(identity) ? reading : base),
    network: identity.network,
    actor: await actorOf(sources, identity),
  })

  const mailer = createMailer({
    ...config.mail,
    senderName: config.mail.isFromSite ? () => live.siteName : undefined,
    outboxFolder: join(config.dataDir, 'outbox'),
    // Printed for a first try on your own machine. A site with an address may keep its log.
    ...(!config.siteUrl && { log: console.log }),
    now,
  })
  const shared = { base, config: live, auth, db }
  const taskParts = { ...shared, queue, log: http.log }
  handleMails({ ...taskParts, mailer, logo: () => storedPicture(db, 'logo') })
  handleTasks(taskParts)
  development?.mount(http)
  await watch.start(db)
  await remembered.start()
  const healthChecks = createHealthChecks({ db, watch, queue, dataDir: config.dataDir })
  metrics.watchQueue({ db, healthChecks })
  metrics.watchOpenAnswers(() => openAnswers(http))
  registerMetrics(http, metrics, config.metricsToken)
  const services: Service[] = [{ start: () => settings.read(db) }]
  await settings.follow(db, (err) =>
    http.log.warn({ err }, 'Couldn’t read what administrators set. Trying again'),
  )
  api = await registerRoutes({
    ...shared,
    http,
    environmentConfig,
    settings,
    site: () => siteConfig,
    reading,
    issuer,
    checks: {
      address: () => addressFindings(config),
      mail: () => mailFindings(config),
      launch: (db) => launchChecks(db, environmentConfig),
    },
    services,
    healthChecks,
    contextOf,
    spamChecks: createSpamChecks(config.proofOfWork, counts),
    markFirst: counts.markFirst,
    limits: counts.word,
    searches: createSearches({
      atOnce: SEARCHES_AT_ONCE,
      hasRateLimits,
      onRefused: metrics.answers.refused,
    }),
    htmlPage: (title, body) => pages.plainPage(title, body, assets, siteConfig),
    answers,
    onChange: (changed) => broadcastAnswerChange(db, changed),
    forgetPages,
    forgetThread,
  })
  // If the database goes away while a service starts, the service starts again.
  for (const service of services)
    await whenDatabaseIsThere(async () => service.start(), console.warn)
  await preloadDummyHash()
  return { http, queue, mailer, base, replica, services: [...services, watch] }
}

/** What pages and `GET /api/v1/config` show of the settings. */
function siteOf(config: FeatureConfig, siteUrl: () => string): SiteConfig {
  const { version, ...build } = readBuildInfo()
  const { siteName, contactDomain, analyticsId, fallbackUrl, legalNoticeHours, flags } = config
  const ifRaised = (name: 'badgeHoldersMin' | 'roomHoldersMin') =>
    config[name] > THRESHOLDS[name] ? config[name] : undefined
  const { accent, logo, sharePicture, heroSentence, welcomeText, greeting } = config
  const { footerLinks, signUpMode, signUpDomains } = config
  return {
    siteName,
    accent,
    logo,
    sharePicture,
    heroSentence,
    welcomeText,
    greeting,
    footerLinks: footerLinks.length > 0 ? footerLinks : undefined,
    signUp: signUpMode === 'open' ? undefined : { mode: signUpMode, domains: signUpDomains },
    get siteUrl() {
      return siteUrl()
    },
    contactDomain,
    analyticsId,
    fallbackUrl,
    badgeHoldersMin: ifRaised('badgeHoldersMin'),
    roomHoldersMin: ifRaised('roomHoldersMin'),
    ratingBatch: config.ratingBatch,
    legalNoticeHours,
    hasLogoSearch: config.hasLogoSearch,
    flags,
    build,
  }
}

async function authOf(
  config: Config,
  { live, secrets, siteUrl }: { live: FeatureConfig; secrets: Secrets; siteUrl: () => string },
): Promise<AuthSettings> {
  const { accessTokenSeconds, ownerEmail, ...auth } = config.auth
  const tokens = createTokens({
    keys: await readSigningKeys(config),
    issuer: issuerOf(config.siteUrl),
    formerIssuer: () => `${siteUrl()}/auth/v1`,
    lifetime: accessTokenSeconds,
  })
  return {
    ...auth,
    ownerEmail: ownerEmail ?? (config.isDevelopment ? DEMO_OWNER : undefined),
    tokens,
    exchanges: createRefreshTokenExchanges(secrets),
    get siteName() {
      return live.siteName
    },
    get accent() {
      return live.accent
    },
    get logo() {
      return live.logo
    },
    get signUp() {
      return { mode: live.signUpMode, domains: live.signUpDomains }
    },
    siteUrl,
    onionUrl: config.onionUrl,
  }
}

const replicaOf = (config: Config, db: OpenDatabase) =>
  config.databaseReplicaUrl === undefined
    ? undefined
    : createReplica(db, {
        url: config.databaseReplicaUrl,
        connections: config.databaseConnections,
        hasDatabaseStatementNames: config.hasDatabaseStatementNames,
      })

/** Undefined until the server listens. */
const portOf = (http: Http) => (http.server.address() as AddressInfo | null)?.port

type RunningSite = Awaited<ReturnType<typeof compose>>

/** Stops everything in an order that loses nothing. Cuts off slow readers. */
async function finish({ http, queue, mailer, replica, services }: RunningSite) {
  const tasksAreDone = queue.stop()
  await shutdownOf(http).begin(ANSWERS_PATIENCE_MS)
  // Counting has stopped. A silent database doesn't store counts.
  const areCounted = Promise.all([http.close(), ...services.map((service) => service.stop?.())])
  await Promise.race([areCounted, wait(COUNTS_PATIENCE_MS)])
  await tasksAreDone
  mailer.close()
  await replica?.close()
  await wait(LAST_NEWS_MS)
}

function openAnswers(http: Http) {
  const { open } = shutdownOf(http)
  const streams = [...open].filter(isStream).length
  return { answers: open.size - streams, streams }
}

/** A page's route pattern. Caches the few that most requests ask for. */
function pagePatterns(
  flags: Config['flags'],
  pathOf: (path: string, flags: Config['flags']) => string | undefined,
) {
  const patterns = new LRUCache<string, { pattern: string | undefined }>({ max: 2_000 })
  return (url: string) => {
    const path = url.split('?', 1)[0] as string
    const known = patterns.get(path)
    if (known) return known.pattern
    const pattern = pathOf(path, flags)
    patterns.set(path, { pattern })
    return pattern
  }
}

async function productionPages() {
  const { loadScreens, ...rendering } = await import('#app/site/pages/render.server.tsx')
  // Loaded now, so no visitor waits for a screen's code and no later build can remove it.
  await loadScreens()
  return { ...rendering, assets: builtAssets(clientFolder) }
}

/** The build and its time. Without a build, the time of the start. */
function readBuildInfo(): SiteConfig['build'] & { version: string } {
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'))
  const file = join(clientFolder, 'build-time.json')
  if (existsSync(file)) return { ...JSON.parse(readFileSync(file, 'utf8')), version }
  const now = new Date()
  return { buildTime: now.toISOString(), timestamp: now.getTime(), version }
}

/** Also creates the people whose logins it prints. */
async function developmentLines(config: Config, base: ServerContext, port: number) {
  const { emails, employers } = await seedDemoPeople(base)
  for (const accountId of employers) await addDemoClaim(base.db, accountId)
  return [
    `The component gallery is at ${urlAt(config.host, port)}/gallery`,
    `Log in as ${emails.join(', ')} with the password ${DEMO_PASSWORD}`,
  ]
}

/**
 * On a signal or an uncaught error, stops the process within ten seconds, whatever blocks it. A second signal
 * kills it immediately. Returns a function that stops the process, too, but only once.
 */
function stopOnSignals(stop: (bug: Error | undefined) => Promise<void>) {
  let hasBegun = false
  const { close } = closeWithGrace({ delay: STOP_WITHIN_MS, skip: NO_STOP }, async ({ err }) => {
    hasBegun = true
    await stop(err)
  })
  // Ctrl-C reaches every process of a terminal, and the primary process also asks them to stop.
  return () => hasBegun || close()
}

start().catch((error) => {
  // For a setting, a folder in use or a missing database, a sentence is enough. Otherwise, we print the
  // stack, but not the error's details, because a failing migration can quote rows.
  console.error(error instanceof ConfigError ? error.message : (error?.stack ?? error))
  process.exit(1)
})
