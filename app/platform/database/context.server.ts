/** What every query and command receives: the data, the moment, the keys, and what comes after; and events. */
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

/**
 * Something that a lower feature says of itself, for upper ones to follow up. Subscribers run in the publisher's
 * transaction, one after the other: one that throws undoes the command. What may come later is a job.
 */
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

export const subscribe = <Payload, Result>(
  to: Event<Payload, Result>,
  run: (ctx: ServerContext, payload: Payload) => Result | Promise<Result>,
): Subscription => ({ to, run })

/** Call it in the command's transaction. @returns what the subscribers answered, in their order */
export async function publish<Payload, Result>(
  ctx: ServerContext,
  event: Event<Payload, Result>,
  payload: Payload,
): Promise<Result[]> {
  const answers: Result[] = []
  for (const { to, run } of ctx.events ?? [])
    if (to === event) answers.push((await run(ctx, payload)) as Result)
  return answers
}
