/** Creates as many raters as a test needs, and their ratings. */
import sql from 'sql-template-tag'
import type { SignedIn } from '#app/api/auth/actor.ts'
import { sealedAddress } from '#app/api/auth/addresses.server.ts'
import { authorKeyOfAccount } from '#app/api/auth/author-keys.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import { withCurrentCompany } from '#app/companies/merging/merged-companies.server.ts'
import type { RatingSettings } from '#app/ratings/publication.server.ts'
import { changeRating, thisMonth } from '#app/ratings/rating-commands.server.ts'
import type { RatingInput } from '#app/ratings/rating-input.ts'
import { ratingTag } from '#app/ratings/rating-tag.server.ts'
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

/** The same database, as another member with a confirmed address. */
export function rater(ctx: Ctx, n: number, over: Partial<SignedIn> = {}): Ctx {
  const id = accountOf(n)
  const rootSealed = testRoot(testSecrets, id)
  const account = { ...(ctx.actor.account as SignedIn), id, rootSealed, ...over }
  const authorKey = authorKeyOfAccount(testSecrets, id)
  return { ...ctx, actor: { ...ctx.actor, account, authorKey } }
}

/** Each mailbox gets one credential, and some tests commit. */
let mailboxes = 0

/** Does the same, with a row for the account, which commitments reference, and a mailbox. */
export async function settledRater(ctx: Ctx, n: number): Promise<Ctx> {
  const id = accountOf(n)
  const email = sealedAddress(ctx.secrets, id, `rater-${++mailboxes}@home.example`)
  await ctx.db.query(sql`
    insert into accounts (id, email_hash, email_sealed, made_in_month, root_sealed)
    values (${id}, ${email.hash}, ${email.sealed}, '2026-03-01', 'sealed') on conflict do nothing`)
  return rater(ctx, n)
}

/** A rating from before ratings were anonymous, under a tag of its account. Rating again changes it. */
export const rate = (ctx: Ctx, companyId: string, rating: RatingInput, settings: RatingSettings) =>
  withCurrentCompany(ctx.db, companyId, (companyId) =>
    changeRating(
      ctx,
      {
        ...rating,
        companyId,
        month: thisMonth(ctx),
        tag: ratingTag(ctx, requireAccount(ctx).id, companyId),
        holderKeyHash: null,
        removalKeyHash: null,
        badgeDomain: null,
        version: 0,
      },
      settings,
    ),
  )
