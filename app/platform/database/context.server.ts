/** What every query and command receives: the data, the moment, the keys, and what comes after. */

import type { Jobs } from '../jobs/jobs.server.ts'
import type { Database } from './database.server.ts'
import type { Secrets } from './secrets.server.ts'

export interface ServerContext {
  db: Database
  /** The present moment; frozen in tests. */
  now: () => Date
  secrets: Secrets
  /** What must happen after the commit: add it in the transaction that it follows from. */
  jobs: Pick<Jobs, 'enqueue' | 'enqueueing'>
  /** Who follows up what is published, in the order of the features. */
  events?: readonly Subscription[]
}

/** Something that a lower feature says of itself: see `publish`. */
export interface Event<Payload, Result = void> {
  name: string
  /** Never called: it gives the event its types, of which the second is what subscribers answer. */
  types?: (payload: Payload) => Result
}

export interface Subscription {
  to: Event<never, unknown>
  // Whoever publishes and whoever subscribes agree on the payload by the event.
  // biome-ignore lint/suspicious/noExplicitAny: the list holds subscriptions to events of all kinds.
  run: (ctx: ServerContext, payload: any) => unknown
}

/** What is enough where nothing follows and nothing is sealed. */
export type DataContext = Pick<ServerContext, 'db' | 'now'>

/** Runs `work` in a transaction whose context shadows the outer one, on purpose. */
export const transaction = <Context extends Pick<ServerContext, 'db'>, Result>(
  ctx: Context,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> => ctx.db.transaction((db) => work({ ...ctx, db }))
