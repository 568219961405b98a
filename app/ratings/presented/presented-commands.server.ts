/** Ratings whose authors the server never learns. A credential proves them, and a key finds them. */

import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { ratingContextOf } from '#app/api/credential/purposes.ts'
import { companyIds, withCurrentCompany } from '#app/companies/merging/merged-companies.server.ts'
import { isBlankHtml, markdownHtml } from '#app/kit/writing/markdown.ts'
import { tidyText } from '#app/kit/writing/text.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { requireValid } from '#app/platform/http/refusal.ts'
import { hasStars, type RatingSettings } from '../publication.server.ts'
import { RATING_REFUSALS } from '../rating.ts'
import { changeRating, emptyRating, removeByTags, thisMonth } from '../rating-commands.server.ts'
import {
  isSameRating,
  messageOf,
  type PresentedRating,
  type RatingInput,
  ratingDraftOf,
  ratingProblems,
} from '../rating-input.ts'
import { ratingByTags } from '../rating-queries.server.ts'
import { removableTags, tagsByKeys } from '../rating-tag.server.ts'
import type { RatingOrOther, Removing } from './presented.contract.ts'
import { presentedTag, requireNotMerged } from './presented-tag.server.ts'

interface Presented extends PresentedRating {
  /** base64url */
  presentation: string
}

/**
 * Each tag has one rating, and a person has one tag per company. A second rating changes the first if its device knew
 * the first and its number is higher. Otherwise, another device's change stays and is returned, so no text is
 * overwritten unseen and a recorded request changes nothing.
 * @throws Refusal bad-request without a proof, conflict for another company’s badge, gone for a merged company, not-found
 * @throws Unavailable when too many wait to be verified
 */
export async function ratePresented(
  ctx: Ctx,
  presented: Presented,
  issuer: Issuer,
  settings: RatingSettings,
): Promise<RatingOrOther> {
  const { companyId, mergedKeys, badge, supersedes: earlier } = presented
  for (const rating of [presented.rating, ...earlier]) requireValid(ratingProblems(rating))
  const tag = await presentedTag(ctx, issuer, presented, {
    name: 'presented rating',
    context: ratingContextOf(companyId),
    message: messageOf(presented),
    refusals: RATING_REFUSALS,
  })
  const note = tidyText(presented.rating.note)
  const rating = { ...presented.rating, note: isBlankHtml(markdownHtml(note)) ? '' : note }
  const given = {
    ...rating,
    companyId,
    month: thisMonth(ctx),
    tag,
    holderKeyHash: Buffer.from(presented.holder, 'base64url'),
    removalKeyHash: presented.removal ? Buffer.from(presented.removal, 'base64url') : null,
    badgeDomain: badge?.domain ?? null,
    version: presented.version,
  }
  return withCurrentCompany(ctx.db, companyId, async (current) => {
    requireNotMerged(current, companyId, RATING_REFUSALS)
    return transaction(ctx, async (ctx) => {
      await lockTag(ctx, given.tag)
      const replaced = (await removableTags(ctx, companyId, { keys: mergedKeys })).filter(
        (tag) => tag !== given.tag,
      )
      const rows = await ratingsOf(ctx, [given.tag, ...replaced])
      const own = rows.find(({ tag }) => tag === given.tag)
      // A late change was sent again, recorded by someone, or made by a device that doesn't know the last one.
      const isLate = own !== undefined && given.version <= own.version
      const known = isLate ? [rating] : [rating, ...earlier]
      const other = rows.find((row) =>
        row.isGiven
          ? !known.some((one) => isSameRating(ratingDraftOf(row), ratingDraftOf(one)))
          : isLate,
      )
      if (other) return { ...(await ratingByTags(ctx, [other.tag])), isOther: true as const }
      if (!isLate) {
        for (const tag of replaced) await emptyRating(ctx, companyId, { tag }, settings)
        await changeRating(ctx, given, settings)
      }
      return ratingByTags(ctx, [given.tag])
    })
  })
}

/** If two devices send at once, the later one sees the first one's rating. */
const lockTag = ({ db }: Pick<Ctx, 'db'>, tag: string) =>
  db.query(sql`select pg_advisory_xact_lock(hashtextextended(${tag}, 0))`, PREPARED)

/** The ratings with these tags. Removed ones have no stars. */
const ratingsOf = ({ db }: Pick<Ctx, 'db'>, tags: string[]) =>
  db.query<RatingInput & { tag: string; version: number; isGiven: boolean }>(
    sql`
    select tag, version, ${hasStars} as "isGiven", rto, dei, work_life as "workLife", culture,
           office_days as "officeDays", relation, era, note
      from ratings rating where tag = any (${tags}::text[])`,
    PREPARED,
  )

/**
 * A rating that changed after the removal was created stays and is returned, so replaying an old request does nothing.
 * @throws Refusal not-found
 */
export async function removeByKeys(
  ctx: Ctx,
  companyId: string,
  removing: Removing,
  settings: RatingSettings,
): Promise<RatingOrOther> {
  const { id } = await companyIds(ctx.db, companyId)
  const tags = await tagsByKeys(ctx, id, removing.keys)
  return transaction(ctx, async (ctx) => {
    for (const tag of tags.toSorted()) await lockTag(ctx, tag)
    const removable = await removableTags(ctx, id, removing)
    const other = (await ratingsOf(ctx, tags)).find(
      ({ tag, isGiven }) => isGiven && !removable.includes(tag),
    )
    if (other) return { ...(await ratingByTags(ctx, [other.tag])), isOther: true as const }
    await removeByTags(ctx, id, removable, settings)
    return ratingByTags(ctx, tags)
  })
}
