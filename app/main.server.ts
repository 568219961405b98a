/** The composition root: config → database → mail → jobs → http. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bindContract } from './api/bind.server.ts'
import { createClient, type Transport } from './api/client.ts'
import { describeApi } from './api/document.server.ts'
import { actorOf, type Credentials } from './auth/actor.server.ts'
import type { Ctx } from './auth/context.server.ts'
import { warmUpPasswords } from './auth/passwords.server.ts'
import { createTokens, readSigningKeys } from './auth/tokens.server.ts'
import { accountContract } from './features/accounts/account.contract.ts'
import type { PostsChoice } from './features/accounts/account.ts'
import { accountHandlers } from './features/accounts/account-api.server.ts'
import { ACCOUNT_DELETED } from './features/accounts/account-commands.server.ts'
import { ACCOUNT_MAIL, type MailPayload } from './features/accounts/account-mail.server.ts'
import { sendAccountMail } from './features/accounts/account-mail-job.server.ts'
import { answerAuth } from './features/accounts/auth-api.server.ts'
import type { AuthCtx, AuthSettings } from './features/accounts/auth-context.server.ts'
import {
  DEMO_OWNER,
  DEMO_PASSWORD,
  settleDemoPeople,
} from './features/accounts/demo-people.server.ts'
import { sweepSessions } from './features/accounts/session-commands.server.ts'
import { companyContract } from './features/companies/company.contract.ts'
import { companyHandlers } from './features/companies/company-api.server.ts'
import { loadStarterCompanies } from './features/companies/starter-companies.server.ts'
import { forgetAuthor } from './features/discussions/departure.server.ts'
import { discussionContract } from './features/discussions/discussion.contract.ts'
import { minuteOf, PERIOD_MINUTES } from './features/discussions/discussion.ts'
import { discussionHandlers } from './features/discussions/discussion-api.server.ts'
import { answerFeeds } from './features/discussions/feed.server.ts'
import { postKeepers } from './features/discussions/keepers.server.ts'
import { streamNews } from './features/discussions/live.server.ts'
import { POST_ADDED, type PostAdded } from './features/discussions/posting.server.ts'
import { createProofs } from './features/discussions/proof.server.ts'
import { countRecentComments } from './features/discussions/removal.server.ts'
import { loadStarterThreads } from './features/discussions/starter-threads.server.ts'
import { holdBursts } from './features/moderation/burst.server.ts'
import { moderationContract } from './features/moderation/moderation.contract.ts'
import { moderationHandlers } from './features/moderation/moderation-api.server.ts'
import { POST_RULED, type PostRuled } from './features/moderation/ruling.server.ts'
import {
  forgetReporter,
  sweepSuspensions,
} from './features/moderation/suspension-commands.server.ts'
import {
  DIGEST_MAIL,
  type DigestPayload,
  queueDigests,
  sendDigest,
} from './features/notifications/digest.server.ts'
import { notificationContract } from './features/notifications/notification.contract.ts'
import { notificationHandlers } from './features/notifications/notification-api.server.ts'
import {
  forgetReader,
  sweepNotifications,
} from './features/notifications/notification-commands.server.ts'
import { notifyOfPosts, notifyOfRuling } from './features/notifications/notification-job.server.ts'
import { answerUnsubscribe } from './features/notifications/unsubscribe-page.server.ts'
import { type SiteConfig, siteContract } from './features/site/site.contract.ts'
import { siteHandlers } from './features/site/site-api.server.ts'
import { developmentPages } from './main.development.server.ts'
import { builtAssets } from './server/built-assets.server.ts'
import { type Config, ConfigError, readConfig } from './server/config.server.ts'
import type { ServerContext } from './server/context.server.ts'
import type { OpenDatabase } from './server/database.server.ts'
import { answerHealthChecks } from './server/health.server.ts'
import { createHttp, type Http } from './server/http.server.ts'
import { createJobs } from './server/jobs.server.ts'
import { createMailer } from './server/mail.server.ts'
import { migrate } from './server/migrate.server.ts'
import { openDatabase } from './server/open-database.server.ts'
import { createPageCache } from './server/page-cache.server.ts'
import { projectFolder } from './server/project-folder.server.ts'
import { checkSecrets, readSecrets, type Secrets } from './server/secrets.server.ts'
import { securityHeaders } from './server/security-headers.server.ts'
import type { AppContract } from './sitemap.ts'

const clientFolder = join(projectFolder, 'dist/client')
/** Whoever writes to their threads waits for these few statements. */
const POSTS_TOGETHER = 50
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const now = () => new Date()

async function start() {
  const config = readConfig(process.env)
  const secrets = await readSecrets(config)
  const db = await openDatabase(config)
  try {
    await migrate(db)
    await checkSecrets(db, secrets)
    await loadStarterCompanies({ db, now }, config.starter)
    if (config.starter === 'demo') await loadStarterThreads({ db, now, secrets })
    const { http, jobs, mailer, base } = await compose(config, db, secrets)
    await http.listen({ host: config.host, port: config.port })
    jobs.start()
    const { port } = http.server.address() as { port: number }
    console.log(`${config.siteName} is ready at http://${config.host}:${port}`)
    console.log(`Mail goes to ${mailer.describe}`)
    if (config.development) await announceDevelopment(config, base, port)
    stopOnSignals(async () => {
      await http.close()
      await jobs.stop()
      mailer.close()
      await db.close()
    })
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Everything that answers requests and does jobs, wired up. */
async function compose(config: Config, db: OpenDatabase, secrets: Secrets) {
  const site: SiteConfig = {
    siteName: config.siteName,
    siteUrl: config.siteUrl ?? `http://${config.host}:${config.port}`,
    contactDomain: config.contactDomain,
    flags: config.flags,
    build: readBuildInfo(),
  }
  const ownerEmail = config.auth.ownerEmail ?? (config.development ? DEMO_OWNER : undefined)
  const tokens = createTokens({
    keys: await readSigningKeys(config),
    issuer: () => `${site.siteUrl}/auth/v1`,
    lifetime: config.auth.accessTokenSeconds,
  })
  const auth: AuthSettings = {
    tokens,
    siteName: site.siteName,
    siteUrl: () => site.siteUrl,
    autoconfirm: config.auth.autoconfirm,
    redirectUrls: config.auth.redirectUrls,
    ownerEmail,
  }
  const inProcess: Transport = async ({ method, url, body }) => {
    const answer = await http.inject({
      method: method as 'GET',
      url,
      ...(body === undefined ? {} : { payload: body as object }),
    })
    return { status: answer.statusCode, json: answer.json() }
  }
  const api = createClient<AppContract>(inProcess)
  const development = config.development ? await developmentPages(projectFolder) : undefined
  const { renderPage, pageKey, plainPage, assets } = development ?? (await productionPages())

  const cache = createPageCache((key) => renderPage(key, site, api, assets), {
    headers: securityHeaders(config),
    keeps: !config.development,
  })
  const http: Http = await createHttp({
    config,
    clientFolder: config.development ? undefined : clientFolder,
    pages: {
      keyOf: (url) => pageKey(url, config.flags),
      cache,
    },
  })
  const jobs = createJobs(db, { log: http.log })
  const base: ServerContext = { db, now, secrets, jobs }
  const authContext = (): AuthCtx => ({ ...base, auth })
  const sources = { ...base, tokens, ownerEmail }
  const contextOf = async (credentials: Credentials): Promise<Ctx> => ({
    ...base,
    network: credentials.network,
    actor: await actorOf(sources, credentials),
  })

  const mailer = createMailer({
    smtpUrl: config.mail.smtpUrl,
    from: config.mail.from,
    outboxFolder: join(config.dataDir, 'outbox'),
  })
  jobs.handle<MailPayload>(ACCOUNT_MAIL, (payload) =>
    sendAccountMail(authContext(), mailer, payload),
  )
  jobs.handle<{ sealedKey: string; posts: PostsChoice }>(
    ACCOUNT_DELETED,
    async ({ sealedKey, posts }) => {
      const authorKey = secrets.open(sealedKey)
      await forgetAuthor(base, { authorKey, posts })
      await forgetReporter(base, authorKey)
      await forgetReader(base, authorKey)
    },
  )
  jobs.handleTogether<PostAdded>(POST_ADDED, POSTS_TOGETHER, async (posts) => {
    await holdBursts(base, postKeepers, posts)
    await notifyOfPosts(base, posts)
  })
  jobs.handle<PostRuled>(POST_RULED, (ruling) => notifyOfRuling(base, ruling))
  const letters = { siteName: site.siteName, siteUrl: () => site.siteUrl }
  jobs.handle<DigestPayload>(DIGEST_MAIL, (payload) => sendDigest(base, mailer, letters, payload))
  jobs.every('queue-digests', DAY_MS, (db) => queueDigests({ ...base, db }))
  jobs.every('sweep-notifications', DAY_MS, (db) => sweepNotifications({ db, now }))
  jobs.every('sweep-suspensions', DAY_MS, (db) => sweepSuspensions({ db, now }))
  jobs.every('count-recent-comments', HOUR_MS, (db) =>
    countRecentComments(db, minuteOf(now()) - PERIOD_MINUTES.week),
  )
  jobs.every('sweep-sessions', DAY_MS, (db) => sweepSessions({ db, now }))

  http.addHook('onListen', async () => {
    const { port } = http.server.address() as { port: number }
    site.siteUrl = config.siteUrl ?? `http://${config.host}:${port}`
  })
  development?.mount(http)
  await describeApi(http, config.siteName)
  answerHealthChecks(http, db)
  await answerAuth(http, {
    contextOf: authContext,
    hasRateLimits: config.hasRateLimits,
    htmlPage: (title, body) => plainPage(title, body, assets),
  })
  bindContract(http, siteContract, contextOf, siteHandlers(site))
  bindContract(http, companyContract, contextOf, companyHandlers())
  bindContract(http, accountContract, contextOf, accountHandlers(site))
  const { hasRateLimits } = config
  const proofs = createProofs(config.proofOfWork)
  bindContract(http, discussionContract, contextOf, discussionHandlers({ hasRateLimits, proofs }))
  bindContract(
    http,
    moderationContract,
    contextOf,
    moderationHandlers({ hasRateLimits, proofs, keepers: postKeepers }),
  )
  bindContract(http, notificationContract, contextOf, notificationHandlers())
  answerUnsubscribe(http, {
    context: base,
    siteName: site.siteName,
    htmlPage: (title, body) => plainPage(title, body, assets),
  })
  answerFeeds(http, { context: base, site })
  await streamNews(http, db, (threadId) => cache.forget(`/thread/${threadId}`))
  await warmUpPasswords()
  return { http, jobs, mailer, base }
}

async function productionPages() {
  const { loadScreens, ...rendering } = await import('./main.render.server.tsx')
  await loadScreens()
  return { ...rendering, assets: builtAssets(clientFolder) }
}

/** When and as what this was built; the moment of the start where nothing was built. */
function readBuildInfo(): SiteConfig['build'] {
  const file = join(clientFolder, 'build-info.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const now = new Date()
  return { buildTime: now.toISOString(), timestamp: now.getTime() }
}

async function announceDevelopment(config: Config, base: ServerContext, port: number) {
  console.log(`The component gallery is at http://${config.host}:${port}/gallery`)
  const people = await settleDemoPeople(base)
  console.log(`Sign in as ${people.join(', ')} with the password ${DEMO_PASSWORD}`)
}

/** In-flight answers and jobs finish, then the database closes; a second signal ends at once. */
function stopOnSignals(stop: () => Promise<void>) {
  const stopOnce = async () => {
    process.once('SIGTERM', () => process.exit(1))
    process.once('SIGINT', () => process.exit(1))
    await stop()
    process.exit(0)
  }
  process.once('SIGTERM', stopOnce)
  process.once('SIGINT', stopOnce)
}

start().catch((error) => {
  // A setting, a folder in use, a database that is away: a sentence is enough. Else the stack.
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
})
