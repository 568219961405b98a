/** What a feature provides, in its `feature.server.ts`, and what it receives. */

import type { Database, OpenDatabase } from '#app/platform/database/database.server.ts'
import type { SealedColumn } from '#app/platform/database/sealed-columns.server.ts'
import type { ServerContext, Subscription } from '#app/platform/database/server-context.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import type { Searches } from '#app/platform/http/searches.server.ts'
import type { SharedCounts } from '#app/platform/http/shared-counts.server.ts'
import type { MailSender } from '#app/platform/mail/mail-tasks.server.ts'
import type { ChosenSettings } from '#app/platform/operations/chosen-settings.server.ts'
import type { FeatureConfig } from '#app/platform/operations/config.server.ts'
import type { Finding } from '#app/platform/operations/doctor.server.ts'
import type { NightlyLog, NightlyStep } from '#app/platform/queue/nightly-run.server.ts'
import type { Queue, TaskKind } from '#app/platform/queue/queue.server.ts'
import type { AuthSettings, RequestIdentity } from './auth/actor.server.ts'
import type { Ctx } from './auth/context.server.ts'
import type { SpamChecks } from './auth/spam-checks.server.ts'
import type { Handlers } from './bind.server.ts'
import type { Contract } from './contract.ts'
import type { Issuer } from './credential/issuer.server.ts'

export interface Feature {
  events?(parts: Pick<Parts, 'config'>): Subscription[]
  routes?(parts: RouteParts): void | Promise<void>
  tasks?(parts: TaskParts): void
  /** The feature's steps of the nightly run, in order: see `runNightly`. */
  nightly?(parts: TaskParts): NightlyStep[]
  /** The feature's tasks that send email, which no one can take back. */
  mails?: MailTask[]
  sealed?: SealedColumn[]
  /** Removes a deleted account's data. Must be harmless to repeat. */
  forget?(person: Departed, parts: Parts): Promise<void>
}

interface MailTask {
  kind: string
  // biome-ignore lint/suspicious/noExplicitAny: the list has mails of all kinds.
  send: (parts: Parts, mailer: MailSender, payload: any) => Promise<void>
}

export const mailTask = <Payload extends object>(
  kind: TaskKind<Payload>,
  send: (parts: Parts, mailer: MailSender, payload: Payload) => Promise<void>,
): MailTask => ({ kind, send })

interface Departed {
  authorKey: string
  /** The root was deleted with the account, so only this task knows it. */
  root: Buffer
  /** Absent in tasks queued before there were ratings. */
  accountId: string | undefined
  /** What happens to their posts. */
  posts: 'keep' | 'remove'
}

export interface Parts {
  base: ServerContext
  config: FeatureConfig
  auth: AuthSettings
}

export interface TaskParts extends Parts {
  db: OpenDatabase
  queue: Queue
  log: NightlyLog
}

/** The doctor's checks of the settings. They never reveal secret values. */
export interface SetUpChecks {
  address(): Finding[]
  mail(): Promise<Finding[]>
  launch(db: Database): Promise<Record<LaunchStep, LaunchCheck>>
}

export type LaunchStep = 'mailboxes' | 'terms' | 'rules'

export interface LaunchCheck {
  /** What's wrong. */
  findings: Finding[]
  /** Administrators changed all of it, so nobody has to confirm it. */
  isOwn: boolean
}

export interface RouteParts extends Parts {
  /** What administrators set in the panel. `config` has it, and `environmentConfig` doesn't. */
  settings: ChosenSettings
  environmentConfig: FeatureConfig
  checks: SetUpChecks
  http: Http
  bind<C extends Contract>(contract: C, handlers: Handlers<C>): void
  db: OpenDatabase
  /** Used for reads that are the same for everyone. May be a standby. */
  reading: ServerContext
  contextOf: (identity: RequestIdentity) => Promise<Ctx>
  spamChecks: SpamChecks
  /** Marks a key as used, for all processes. */
  markFirst: SharedCounts['markFirst']
  searches: Searches
  issuer: Issuer
  /** Services that run as long as the process, such as counts in memory that we write regularly. */
  services: Service[]
  /** A page in the site's layout. `title` is text, `body` is markup. */
  htmlPage: (title: string, body: string) => string
  forgetPages: (prefix: string) => void
  /** Drops cached pages that link to this thread. */
  forgetThread: (threadId: string) => void
}

export interface Service {
  /** We wait for this before we answer anyone, and call it again if the database was down. */
  start(): unknown
  stop?(): Promise<unknown>
}
