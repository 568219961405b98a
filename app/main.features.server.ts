/**
 * All features, room by room from low to high. Each has a manifest with its routes and tasks. An event's subscribers, the
 * nightly steps and `forget` run in this order.
 */

import { rootWithoutAccount } from '#app/api/auth/roots.server.ts'
import { bindContract, describeApi } from '#app/api/bind.server.ts'
import { type Bound, createCaller } from '#app/api/call.server.ts'
import type { Parts, RouteParts, TaskParts } from '#app/api/feature.server.ts'
import { createPolicies } from '#app/api/policy.server.ts'
import { discussions } from '#app/community/discussions/feature.server.ts'
import { replies } from '#app/community/replies/feature.server.ts'
import { rooms } from '#app/community/rooms/feature.server.ts'
import { badges } from '#app/companies/badges/feature.server.ts'
import { claims } from '#app/companies/claims/feature.server.ts'
import { companies } from '#app/companies/feature.server.ts'
import { following } from '#app/companies/following/feature.server.ts'
import { importing } from '#app/companies/importing/feature.server.ts'
import { requests } from '#app/companies/requests/feature.server.ts'
import { scraping } from '#app/companies/scraping/feature.server.ts'
import { tracking } from '#app/companies/tracking/feature.server.ts'
import { ACCOUNT_DELETED_TASK } from '#app/identity/accounts/account-commands.server.ts'
import { accounts } from '#app/identity/accounts/feature.server.ts'
import { credentials } from '#app/identity/credentials/feature.server.ts'
import { jobs } from '#app/jobs/feature.server.ts'
import { type SiteConfig, siteContract } from '#app/kit/session/session.contract.ts'
import { spamCheck } from '#app/kit/spam-check/feature.server.ts'
import { moderation } from '#app/moderation/feature.server.ts'
import { notifications } from '#app/moderation/notifications/feature.server.ts'
import { administration } from '#app/office/administration/feature.server.ts'
import { contact } from '#app/office/contact/feature.server.ts'
import { dashboard } from '#app/office/dashboard/feature.server.ts'
import { reseal } from '#app/platform/database/sealed-columns.server.ts'
import { HOUR_MS } from '#app/platform/days.server.ts'
import type { AnswerCache } from '#app/platform/http/answer-cache.server.ts'
import { PAGES_NETWORK } from '#app/platform/http/searches.server.ts'
import type { LimitsState } from '#app/platform/http/shared-counts.server.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { createMailSender, sweepGivenUpMails } from '#app/platform/mail/mail-tasks.server.ts'
import { type HealthChecks, registerHealthChecks } from '#app/platform/operations/health.server.ts'
import { clearTraces, NIGHTLY_LOOK_MS, runNightly } from '#app/platform/queue/nightly-run.server.ts'
import { benefits } from '#app/ratings/benefits/feature.server.ts'
import { ratings } from '#app/ratings/feature.server.ts'
import { interviews } from '#app/ratings/interviews/feature.server.ts'
import { pay } from '#app/ratings/pay/feature.server.ts'
import { accountPages } from '#app/site/account-pages/feature.server.ts'
import { home } from '#app/site/home/feature.server.ts'
import type { AppClient, AppContract } from '#app/site/pages/app-client.ts'
import { findability } from '#app/site/seo/feature.server.ts'
import { siteSettings } from '#app/site/site-settings/feature.server.ts'
import { staticPages } from '#app/site/static-pages/feature.server.ts'

export const features = [
  spamCheck,
  accounts,
  credentials,
  companies,
  badges,
  claims,
  importing,
  requests,
  scraping,
  tracking,
  following,
  discussions,
  replies,
  rooms,
  ratings,
  pay,
  interviews,
  benefits,
  jobs,
  moderation,
  notifications,
  administration,
  contact,
  dashboard,
  findability,
  accountPages,
  home,
  siteSettings,
  staticPages,
]
export const eventsOf = (parts: Pick<Parts, 'config'>) =>
  features.flatMap((feature) => feature.events?.(parts) ?? [])

/** All routes: the features' and a few that don't belong to one. */
interface SiteParts extends Omit<RouteParts, 'bind'> {
  site: () => SiteConfig
  /** Whether limits are shared with other processes. */
  limits: () => LimitsState
  healthChecks?: HealthChecks
  answers?: AnswerCache | undefined
  onChange?: (changed: string) => void
}

/** Returns a client that calls the same endpoints in this process, for pages. */
export async function registerRoutes({
  limits,
  healthChecks,
  site,
  answers,
  onChange,
  ...parts
}: SiteParts): Promise<AppClient> {
  const { http, db, config, contextOf, spamChecks } = parts
  const policies = createPolicies({ ...config, spamChecks })
  const bound: Bound[] = []
  const bind: RouteParts['bind'] = (contract, handlers) => {
    bindContract(http, contract, handlers, { contextOf, policies, answers, onChange })
    bound.push({ contract, handlers })
  }
  await describeApi(http, () => config.siteName)
  registerHealthChecks(http, db, { limits, healthChecks })
  bind(siteContract, { 'GET /api/v1/config': async () => site() })
  for (const feature of features) await feature.routes?.({ ...parts, bind })
  return createCaller<AppContract>({
    bound,
    policies,
    contextOf: () => contextOf({ network: PAGES_NETWORK, isReading: true }),
    onBug: (err, route) => http.log.error({ err, route }, 'A request failed'),
  })
}

/** Work outside requests: what follows a commit, and recurring tasks. */
const mails = features.flatMap(({ mails = [] }) => mails)
/** Kinds of tasks that send mail. */
export const MAIL_TASKS = mails.map(({ kind }) => kind)

/** Registers all tasks except those that send mail. */
export function handleTasks(parts: TaskParts) {
  const { base, db, queue, log, config } = parts
  const { now, secrets } = base
  queue.handle(ACCOUNT_DELETED_TASK, async ({ posts, ...sealed }) => {
    const authorKey = secrets.open(sealed.sealedKey)
    const accountId = sealed.sealedAccount && secrets.open(sealed.sealedAccount)
    const root = sealed.sealedRoot
      ? Buffer.from(secrets.open(sealed.sealedRoot), 'base64url')
      : rootWithoutAccount(secrets, authorKey)
    const person = { authorKey, root, accountId, posts }
    for (const feature of features) await feature.forget?.(person, parts)
  })
  for (const feature of features) feature.tasks?.(parts)
  const sealed = features.flatMap(({ sealed = [] }) => sealed)
  const steps = features.flatMap((feature) => feature.nightly?.(parts) ?? [])
  steps.push({ name: 'sweep mails given up on', run: () => sweepGivenUpMails({ db, now }) })
  // Last, so the deletions before it leave no dead rows until the next night.
  steps.push({ name: 'clear traces', run: () => clearTraces(db) })
  queue.every('nightly-run', NIGHTLY_LOOK_MS, (db) =>
    runNightly(db, steps, { now, at: config.nightlyAt, log }),
  )
  queue.every('seal-anew', 60_000, (db) => reseal(secrets, db, sealed))
}

/** Registers the tasks that send mail. Only they get the mailer. */
export function handleMails(
  parts: TaskParts & {
    mailer: Pick<Mailer, 'send' | 'sweep'>
    logo: () => Promise<Buffer | undefined>
  },
) {
  const { base, queue, mailer, config, logo } = parts
  const senderFor = createMailSender({
    mailer,
    secrets: base.secrets,
    hasRateLimits: config.hasRateLimits,
    logo,
  })
  for (const { kind, send } of mails)
    queue.handle(kind, (payload, _db, task) => send(parts, senderFor(task), payload))
  const { sweep } = mailer
  if (sweep) queue.every('sweep-outbox', HOUR_MS, () => sweep())
}
