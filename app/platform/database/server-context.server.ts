/** What every query and command receives, and the events between features. */
import type { Queue } from '../queue/queue.server.ts'
import type { Database } from './database.server.ts'
import type { Secrets } from './secrets.server.ts'

export interface ServerContext {
  db: Database
  /** The current time. Tests freeze it. */
  now: () => Date
  secrets: Secrets
  /** The queue for work after the commit. Enqueue it in the transaction that causes it. */
  queue: Pick<Queue, 'enqueue' | 'enqueueing'>
  /** Subscriptions, in the order of the features. */
  events: readonly Subscription[]
}

/**
 * Something a lower feature announces for higher ones to react to. Subscribers run one by one in the emitter's
 * transaction, so an error undoes the command. If something can happen later, use a task.
 */
export interface Event<Payload, Result = void> {
  name: string
  /** Never called. It only has the types of the payload and of the subscribers' results. */
  types?: (payload: Payload) => Result
}

export interface Subscription {
  to: Event<never, unknown>
  // The event makes emitter and subscriber use the same payload.
  // biome-ignore lint/suspicious/noExplicitAny: the list holds subscriptions to events of all kinds.
  run: (ctx: ServerContext, payload: any) => unknown
}

/** The context for code that doesn't enqueue, seal or emit anything. */
export type DataContext = Pick<ServerContext, 'db' | 'now'>

/** Runs `work` in a transaction whose context shadows the outer one, on purpose. */
export const transaction = <Context extends Pick<ServerContext, 'db'>, Result>(
  ctx: Context,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> => ctx.db.transaction((db) => work({ ...ctx, db }))

export const subscribe = <Payload, Result>(
  to: Event<Payload, Result>,
  run: (ctx: ServerContext, payload: Payload) => Result | Promise<Result> | Promise<void>,
): Subscription => ({ to, run })

/** Call it in the command's transaction. @returns the subscribers' results, in order. A subscriber may have none */
export async function emit<Payload, Result>(
  ctx: ServerContext,
  event: Event<Payload, Result>,
  payload: Payload,
): Promise<(Result | undefined)[]> {
  const answers: (Result | undefined)[] = []
  for (const { to, run } of ctx.events)
    if (to === event) answers.push((await run(ctx, payload)) as Result | undefined)
  return answers
}
