/** Ratings of which the server never learns who gave them: proven by a credential, found again by a key. */
import sql from 'sql-template-tag'
import type { Ctx } from '../../../auth/context.server.ts'
import type { Issuer } from '../../../credential/issuer.server.ts'
import { ratingContextOf } from '../../../credential/purposes.ts'
import { transaction } from '../../../server/context.server.ts'
import { badRequest, Refusal } from '../../../server/refusal.ts'
import { cleanText } from '../../../writing/text.ts'
import { requireDomainOf } from '../../badges/presented-badge.server.ts'
import { companyIds, givenToLiving } from '../../companies/merging/merged-companies.server.ts'
import { heldTags } from '../held-tags.server.ts'
import type { RatingSettings } from '../publication.server.ts'
import type { MyRating } from '../rating.contract.ts'
import { changeRating, removeByTags, takeBack, thisMonth } from '../rating-commands.server.ts'
import { ratingByTags } from '../rating-queries.server.ts'
import type { HeldRating } from './presented.contract.ts'
import { messageOf, type PresentedRating } from './presented-rating.ts'

export interface Presented extends PresentedRating {
  /** In base64url. */
  presentation: string
}

/**
 * One rating for each tag, which a person has one of for each company: a second one changes the first.
 * @throws Refusal bad-request without a proof, conflict for another company’s badge, gone for a company that is part of another one, not-found
 * @throws Unavailable when too many wait to be verified
 */
export async function ratePresented(
  ctx: Ctx,
  presented: Presented,
  issuer: Issuer,
  settings: RatingSettings,
): Promise<HeldRating & { rating: MyRating }> {
  const { companyId, quarter, replaces, badge, keepsNote } = presented
  requireSame((await companyIds(ctx.db, companyId)).id, companyId)
  if (badge) await requireDomainOf(ctx.db, companyId, badge.domain)
  // Over one secret the tag is the same with both: nobody rates with a badge that is another one's.
  const shown = await issuer.verify(
    badge ? { kind: 'badge', domain: badge.domain, quarter } : { kind: 'ratings', quarter },
    {
      presentationContext: ratingContextOf(companyId),
      message: messageOf(presented),
      presentation: Buffer.from(presented.presentation, 'base64url'),
    },
  )
  if (!shown) throw badRequest('This rating isn’t proven, or its proof is too old.')
  const rating = { ...presented.rating, note: cleanText(presented.rating.note).trim() }
  const given = {
    ...rating,
    companyId,
    month: thisMonth(ctx),
    // A hash of it, so that it looks as the tags of before do.
    tag: ctx.secrets.hash('presented rating', Buffer.from(shown).toString('base64url')),
    holder: Buffer.from(presented.holder, 'base64url'),
    badgeDomain: badge?.domain ?? null,
    keepsNote: keepsNote ?? false,
  }
  return givenToLiving(ctx.db, companyId, async (living) => {
    requireSame(living, companyId)
    const rating =
      replaces.length === 0
        ? await changeRating(ctx, given, settings)
        : await transaction(ctx, async (ctx) => {
            const replaced = (await heldTags(ctx, companyId, replaces)).filter(
              (tag) => tag !== given.tag,
            )
            const note = keepsNote && (await lastNote(ctx, replaced))
            for (const tag of replaced) await takeBack(ctx, companyId, { tag }, settings)
            return changeRating(ctx, { ...given, ...(note && { note }) }, settings)
          })
    const { published, isWaiting } = await ratingByTags(ctx, [given.tag])
    return { rating, published, isWaiting }
  })
}

/** What stands there under one of these tags, and is about to give way. */
async function lastNote({ db }: Pick<Ctx, 'db'>, tags: string[]) {
  const [last] = await db.query<{ note: string }>(sql`
    select note from ratings where tag = any (${tags}::text[]) and note <> ''
     order by month desc limit 1 for update`)
  return last?.note
}

/** What is proven for one company is not for another. @throws Refusal gone */
function requireSame(living: string, companyId: string) {
  if (living !== companyId)
    throw new Refusal('gone', 'This company is part of another one now. Please rate that one.')
}

/** @throws Refusal not-found */
export async function removeHeld(
  ctx: Ctx,
  companyId: string,
  keys: string[],
  settings: RatingSettings,
): Promise<HeldRating> {
  const { id } = await companyIds(ctx.db, companyId)
  const tags = await heldTags(ctx, id, keys)
  await removeByTags(ctx, id, tags, settings)
  return ratingByTags(ctx, tags)
}
