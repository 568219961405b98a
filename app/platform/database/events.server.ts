/**
 * What a lower feature says of itself for upper ones to follow up. Subscribers run in the publisher's
 * transaction, one after the other: one that throws undoes the command. What may come later is a job.
 */
import type { Event, ServerContext, Subscription } from './context.server.ts'

export type { Event, Subscription } from './context.server.ts'

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
