/** The rules for votes: whose post it is, which poll, and how many visitors from a network have voted. S17 and D37. */

import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { DAY_MS } from '#app/platform/days.server.ts'
import { createNetworkLimit, createRateLimit } from '#app/platform/http/rate-limits.server.ts'
import { badRequest, conflict, forbidden, notFound, Refusal } from '#app/platform/http/refusal.ts'
import { POLL_REFUSALS } from '../polls/poll.ts'
import { isSameKey, threadKey } from '../posts/own-posts.server.ts'
import { isPollClosed } from '../threads/thread-queries.server.ts'
import { SURGE, VOTE_REFUSALS, VOTERS_PER_NETWORK } from './vote.ts'

/** @throws Refusal forbidden */
export function requireNotOwn(root: Buffer, post: { key: Uint8Array; threadId: string }) {
  if (isSameKey(post.key, threadKey(root, post.threadId))) throw forbidden(VOTE_REFUSALS.ownPost)
}

/**
 * Locks the poll, so a person votes only once.
 * @param key the voter's in this poll
 * @throws Refusal not-found, bad-request for an unknown option, conflict for a closed poll or a second vote
 */
export async function requirePollVote(
  ctx: Ctx,
  { threadId, optionIndex, key }: { threadId: string; optionIndex: number; key: Buffer },
) {
  const { db } = ctx
  const [poll] = await db.query<{ isClosed: boolean }>(sql`
    select ${isPollClosed(ctx)} as "isClosed"
      from polls poll join threads thread on thread.id = poll.thread_id
     where poll.thread_id = ${threadId} for update of poll`)
  if (!poll) throw notFound(POLL_REFUSALS.noPoll)
  if (poll.isClosed) throw conflict(POLL_REFUSALS.pollClosed)
  const [option] = await db.query(
    sql`select from poll_options where thread_id = ${threadId} and place = ${optionIndex}`,
  )
  if (!option) throw badRequest(POLL_REFUSALS.noOption)
  const [voted] = await db.query(sql`select from poll_votes where key = ${key}`)
  if (voted) throw conflict(POLL_REFUSALS.voted)
}

/** Limits untrusted votes, because another anonymous ID or account costs nothing. D37. */
export interface UntrustedLimits {
  /** @throws Refusal too-many if too many people from a network have voted */
  requireCapacity(network: string, subject: string): Promise<void>
  isSurge(subject: string): Promise<boolean>
}

/** Counters stay in memory, or in Redis as keyed hashes. Never in the database. */
export function createUntrustedLimits(isOn: boolean): UntrustedLimits {
  const voters = createNetworkLimit({
    name: 'visitors-of-subject',
    uses: VOTERS_PER_NETWORK,
    seconds: DAY_MS / 1_000,
    isOn,
  })
  const votes = createRateLimit({
    name: 'votes-of-visitors',
    uses: SURGE.votes,
    seconds: SURGE.minutes * 60,
    isOn,
  })
  return {
    async requireCapacity(network, subject) {
      const retryAfter = await voters.use(`${network} ${subject}`)
      if (retryAfter !== undefined)
        throw new Refusal('too-many', VOTE_REFUSALS.enoughVoters, { retryAfter })
    },
    isSurge: async (subject) => (await votes.use(subject)) !== undefined,
  }
}
