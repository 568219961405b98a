/** Limits of visitors' votes, as another anonymous id costs nothing. Members with an unconfirmed email count as visitors. D37. */

import { createNetworkLimit, createRateLimit } from '#app/platform/http/rate-limits.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import { DAY_MS } from '#app/platform/jobs/days.server.ts'
import { SURGE, VOTERS_PER_NETWORK } from '../discussion.ts'

export interface VisitorLimits {
  /** @throws Refusal too-many for one voter too many from a network */
  requireRoom(network: string, subject: string): Promise<void>
  isSurge(subject: string): Promise<boolean>
}

/** In memory, as all limits are: neither a network nor the time of a vote is stored. */
export function createVisitorLimits(isOn: boolean): VisitorLimits {
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
    async requireRoom(network, subject) {
      const retryAfter = await voters.use(`${network} ${subject}`)
      if (retryAfter !== undefined) throw new Refusal('too-many', ENOUGH_VOTERS, { retryAfter })
    },
    isSurge: async (subject) => (await votes.use(subject)) !== undefined,
  }
}

const ENOUGH_VOTERS =
  'Enough visitors from your network have voted here today. Log in with a confirmed email and your vote counts.'

export const withoutLimits: VisitorLimits = {
  requireRoom: async () => {},
  isSurge: async () => false,
}
