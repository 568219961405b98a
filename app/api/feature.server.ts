/** What a feature hands to the process that runs it, in its `feature.server.ts`, and what it gets for that. */

import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import type { Subscription } from '#app/platform/database/events.server.ts'
import type { SealedColumn } from '#app/platform/database/sealed-columns.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import type { Searches } from '#app/platform/http/searches.server.ts'
import type { SharedCounts } from '#app/platform/http/shared-counts.server.ts'
import type { Jobs } from '#app/platform/jobs/jobs.server.ts'
import type { NightlyLog, NightlyStep } from '#app/platform/jobs/nightly-run.server.ts'
import type { Post } from '#app/platform/mail/mail-post.server.ts'
import type { Config } from '#app/platform/operations/config.server.ts'
import type { Finding } from '#app/platform/operations/doctor.server.ts'
import type { Credentials } from './auth/actor.server.ts'
import type { AuthSettings } from './auth/auth-settings.server.ts'
import type { Carried } from './auth/carry-over.server.ts'
import type { Ctx } from './auth/context.server.ts'
import type { Proofs } from './auth/proof.server.ts'
import type { Handlers } from './bind.server.ts'
import type { Contract, Flag } from './contract.ts'
import type { Issuer } from './credential/issuer.server.ts'

export interface Feature {
  /** What it follows up of what lower features publish. */
  events?: Subscription[]
  /** What it answers: its contracts with their handlers, and what no contract describes. */
  routes?(parts: RouteParts): void | Promise<void>
  /** How the kinds of jobs that it enqueues are done, and what comes round. */
  jobs?(parts: JobParts): void
  /** Its steps of the nightly run, in their order; see `runNightly`. */
  nightly?(parts: JobParts): NightlyStep[]
  /** Jobs that write to somebody, by kind: once a mail is out, nothing here takes it back. */
  mails?: Record<string, MailJob>
  /** Its columns whose values are sealed. */
  sealed?: SealedColumn[]
  /** Its tables that lay under author keys: what a former program left is carried over. */
  carried?: Carried[]
  /** Lets go of somebody whose account is deleted. It may be done twice. */
  forget?(person: Departed, parts: Parts): Promise<void>
}

/** Whoever enqueues a kind and whoever sends its mail agree on the payload. */
// biome-ignore lint/suspicious/noExplicitAny: the record holds mails of all kinds.
export type MailJob = (parts: Parts, post: Post, payload: any) => Promise<void>

/** Somebody whose account is deleted. */
export interface Departed {
  authorKey: string
  /** It died with the account, and is known here alone. */
  root: Buffer
  /** Absent in a job that waited since before there were ratings. */
  accountId: string | undefined
  /** What becomes of what they wrote. */
  posts: 'keep' | 'remove'
}

export interface Parts {
  base: ServerContext
  /** Its address may be known only when the server listens: read it when it is needed. */
  site: {
    siteName: string
    siteUrl: string
    contactDomain: string
    legalNoticeHours: number
    flags: Record<Flag, boolean>
  }
  auth: AuthSettings
  /** `minShown`: below so many a company shows no number; `batch`: so many people's are published together. */
  ratings: { minShown: number; batch: number }
  hasRateLimits: boolean
}

export interface JobParts extends Parts {
  db: OpenDatabase
  jobs: Jobs
  log: NightlyLog
  /** When the nightly run begins, by the clock of the server, such as 03:30. */
  nightlyAt: string
  /** Whether the sites of companies are looked at for logos that nobody asked for. */
  searchesLogos: boolean
}

/** What the doctor says of the settings; nothing of it names what a secret one holds. */
export interface SetUpChecks {
  address(): Finding[]
  /** Asks the mail server whether it lets us in. */
  mail(): Promise<Finding[]>
}

export interface RouteParts extends Parts {
  checks: SetUpChecks
  http: Http
  bind<C extends Contract>(contract: C, handlers: Handlers<C>): void
  db: OpenDatabase
  /** For what is the same for everybody and changes nothing: it may come from a standby. */
  reading: ServerContext
  contextOf: (credentials: Credentials) => Promise<Ctx>
  proofs: Proofs
  /** What counts once, for all processes. */
  markFirst: SharedCounts['markFirst']
  searches: Searches
  issuer: Issuer
  marketMovers: Config['marketMovers']
  /** Where to tell of a hole in the site. */
  securityContact?: string
  /** Where the operator may put pages of plain text in place of ours. */
  pagesFolder?: string
  /** Of an import. */
  batchesAtOnce: number
  /** What is counted in memory and written now and then, from the start of the process to its end. */
  counters: Counter[]
  /** A page in the site's looks: `title` is text, `body` is markup. */
  htmlPage: (title: string, body: string) => string
  /** Drops the kept pages whose addresses begin so. */
  forgetPages: (prefix: string) => void
  /** Drops those that lead to this thread. */
  forgetThread: (threadId: string) => void
}

export interface Counter {
  /** Awaited before anybody is answered; called again where the database went away meanwhile. */
  start(): unknown
  stop(): Promise<unknown>
}
