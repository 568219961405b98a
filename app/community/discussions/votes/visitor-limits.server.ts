/**
 * How many votes visitors may cast where: another anonymous id costs them nothing. Members with an
 * unconfirmed address are counted as visitors. D37.
 */

import { createNetworkLimit, createRateLimit } from '#app/platform/http/rate-limits.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import { DAY_MS } from '#app/platform/jobs/days.server.ts'
import { SURGE, VOTERS_PER_NETWORK } from '../discussion.ts'

export interface VisitorLimits {
  /** Counts one voter more of a network on a subject. @throws Refusal too-many */
  requireRoom(network: string, subject: string): Promise<void>
  /** Counts one vote more on a subject; true when more came than usually do. */
  isSurge(subject: string): Promise<boolean>
}

/** Counted where all limits are, not in a table: neither a network nor the time of a vote is kept. */
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
  'Enough visitors of your network have voted here today. Log in with a confirmed e-mail and your vote counts.'

export const withoutLimits: VisitorLimits = {
  requireRoom: async () => {},
  isSurge: async () => false,
}
