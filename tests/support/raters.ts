/** People who rate in tests, as many as are wanted, and what they give. */
import type { SignedIn } from '#app/api/auth/actor.ts'
import { authorKeyOfAccount } from '#app/api/auth/author-keys.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { RatingInput } from '#app/ratings/rating-input.ts'
import { testRoot } from '../people.ts'
import { testSecrets } from './database.ts'

export const aRating = (over: Partial<RatingInput> = {}): RatingInput => ({
  rto: null,
  dei: null,
  workLife: null,
  culture: null,
  officeDays: null,
  relation: null,
  era: null,
  note: '',
  ...over,
})

export const accountOf = (n: number) =>
  `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

/** The same database, seen by another member with a confirmed address. */
export function rater(ctx: Ctx, n: number, over: Partial<SignedIn> = {}): Ctx {
  const id = accountOf(n)
  const rootSealed = testRoot(testSecrets, id)
  const account = { ...(ctx.actor.account as SignedIn), id, rootSealed, ...over }
  const authorKey = authorKeyOfAccount(testSecrets, id)
  return { ...ctx, actor: { ...ctx.actor, account, authorKey } }
}
