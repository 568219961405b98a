/** Writes of ratings: permit, check, write. Counters follow in the same transaction. */

import sql from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { may } from '../../auth/permissions.ts'
import { requireAccount, requireAuthor, requireAuthorKey } from '../../auth/require.server.ts'
import { type ServerContext, transaction } from '../../server/context.server.ts'
import type { Database } from '../../server/database.server.ts'
import { todayOf } from '../../server/days.server.ts'
import { publish } from '../../server/events.server.ts'
import { notFound, Refusal } from '../../server/refusal.ts'
import { markdownHtml } from '../../writing/markdown.ts'
import { cleanText } from '../../writing/text.ts'
import { COMPANY_NOT_FOUND } from '../companies/company.ts'
import { removeRepliesTo } from '../replies/reply-commands.server.ts'
import { POSTS_REMOVED } from '../reports/post-events.server.ts'
import { requireUnsuspended, suspensionOf } from '../reports/suspension-queries.server.ts'
import type { MyRating } from './rating.contract.ts'
import { RATING_NOT_FOUND } from './rating.ts'
import { publishNoteRemoval, publishRatings } from './rating-events.server.ts'
import type { RatingInput } from './rating-input.ts'
import { myColumns } from './rating-queries.server.ts'
import { ratingTag } from './rating-tag.server.ts'
import { type Counted, countRating, markSurge, refreshScore } from './score.server.ts'

export interface RatingSettings {
  /** Below so many ratings a company shows no score. */
  minShown: number
}

/** @throws Refusal forbidden */
function requireRater(ctx: Ctx): string {
  if (!may.rate(ctx.actor)) throw new Refusal('forbidden', 'Employers do not rate here')
  return requireAccount(ctx).id
}

const monthOf = (day: string) => `${day.slice(0, 7)}-01`

/**
 * One rating per member and company: a second one changes the first.
 * @throws Refusal forbidden, not-found for a company that is gone
 */
export const rate = (
  ctx: Ctx,
  companyId: string,
  rating: RatingInput,
  { minShown }: RatingSettings,
): Promise<MyRating> =>
  transaction(ctx, async (ctx) => {
    const tag = ratingTag(ctx, requireRater(ctx), companyId)
    const today = todayOf(ctx)
    const month = monthOf(today)
    const written = { ...rating, note: cleanText(rating.note).trim(), companyId, tag, month }
    const before = await lockForRating(ctx.db, companyId, tag)
    // Stars are no words: whoever is suspended may still give them.
    if (written.note !== '' && written.note !== before?.note)
      requireUnsuspended(await suspensionOf(ctx, requireAuthorKey(ctx)))
    const mine = before
      ? await changeRating(ctx.db, written, before)
      : await giveRating(ctx.db, written)
    await countRating(ctx.db, companyId, written, 1)
    await markSurge(ctx.db, { companyId, month, today })
    await refreshScore(ctx.db, companyId, { today, minShown })
    publishRatings(ctx.db, companyId)
    return mine
  })

/**
 * The rating that was given before, if there was one. The company's numbers first: who changes them,
 * from other months too, waits, or is waited for.
 * @throws Refusal not-found without the company
 */
async function lockForRating(db: Database, companyId: string, tag: string) {
  const [found] = await db.query<{ isCompany: boolean; before: Kept | null }>(
    sql`
    with company as (select id from companies where id = ${companyId} for key share),
    numbers as (
      select company_id from company_stats
       where company_id = (select id from company) for no key update),
    before as (
      select id, month::text, rto, dei, work_life as "workLife", culture, note from ratings
       where tag = ${tag} and exists (select from numbers) for update)
    select exists (select from company) as "isCompany",
           (select to_json(before) from before) as before`,
    { name: 'lock for rating' },
  )
  if (!found?.isCompany) throw notFound(COMPANY_NOT_FOUND)
  return found.before
}

interface WrittenRating extends RatingInput {
  companyId: string
  tag: string
  month: string
}

/** @throws Refusal conflict where the same person's first one comes in between */
async function giveRating(db: Database, rating: WrittenRating): Promise<MyRating> {
  const { companyId, tag, month, rto, dei, workLife, culture, officeDays, relation, era } = rating
  const [mine] = await db.query<MyRating>(
    sql`
    insert into ratings (company_id, tag, month, rto, dei, work_life, culture, office_days,
                         relation, era, note, note_html)
    values (${companyId}, ${tag}, ${month}, ${rto}, ${dei}, ${workLife}, ${culture}, ${officeDays},
            ${relation}, ${era}, ${rating.note}, ${markdownHtml(rating.note)})
    on conflict (tag) do nothing returning ${myColumns}`,
    { name: 'give rating' },
  )
  if (!mine)
    throw new Refusal('conflict', 'You are rating this company in another tab. Please try again.')
  return mine
}

async function changeRating(db: Database, rating: WrittenRating, before: Kept): Promise<MyRating> {
  const { companyId, tag, month, rto, dei, workLife, culture, officeDays, relation, era } = rating
  const [mine] = await db.query<MyRating>(
    sql`
    update ratings
       set month = ${month}, rto = ${rto}, dei = ${dei}, work_life = ${workLife},
           culture = ${culture}, office_days = ${officeDays}, relation = ${relation},
           era = ${era}, note = ${rating.note}, note_html = ${markdownHtml(rating.note)}
     where tag = ${tag} returning ${myColumns}`,
    { name: 'change rating' },
  )
  if (!mine) throw notFound(RATING_NOT_FOUND)
  // What answered words that are gone does not answer those that come another day.
  if (rating.note === '' && before.note !== '') await removeRepliesTo(db, [before.id])
  await countRating(db, companyId, before, -1)
  return mine
}

/** @throws Refusal not-found */
export async function removeRating(ctx: Ctx, companyId: string, settings: RatingSettings) {
  const tag = ratingTag(ctx, requireAccount(ctx).id, companyId)
  if (!(await takeAway(ctx, companyId, tag, settings))) throw notFound(RATING_NOT_FOUND)
  return { isRemoved: true as const }
}

/** Takes a rating out of the table and of every number. @returns false where there is none */
export async function takeAway(
  ctx: ServerContext,
  companyId: string,
  tag: string,
  { minShown }: RatingSettings,
) {
  return transaction(ctx, async (ctx) => {
    const { db, now } = ctx
    const before = await lockForRating(db, companyId, tag)
    if (!before) return false
    await db.query(sql`delete from rating_votes where rating_id = ${before.id}`)
    // Nothing may reference it, so nothing cascades.
    await publish(ctx, POSTS_REMOVED, { kind: 'note', ids: [before.id] })
    await removeRepliesTo(db, [before.id])
    await db.query(sql`delete from ratings where tag = ${tag}`)
    await publishNoteRemoval(db, companyId)
    await countRating(db, companyId, before, -1)
    await refreshScore(db, companyId, { today: todayOf({ now }), minShown })
    publishRatings(db, companyId)
    return true
  })
}

interface Kept extends Counted {
  id: string
  note: string
}

/** @throws Refusal not-found, forbidden for an own note and for employers */
export const findHelpful = (ctx: Ctx, id: string, isHelpful: boolean) =>
  transaction(ctx, async (ctx) => {
    const { companyId, ...told } = await voteHelpful(ctx, id, isHelpful)
    publishRatings(ctx.db, companyId)
    return told
  })

async function voteHelpful(ctx: Ctx, id: string, isHelpful: boolean) {
  const { db, actor } = ctx
  const authorKey = requireAuthor(ctx)
  const [note] = await db.query<{ companyId: string; tag: string; helpful: number }>(sql`
      select company_id as "companyId", tag, helpful from ratings
       where id = ${id} and note <> '' and note_hidden is null for update`)
  if (!note) throw notFound('This note does not exist')
  if (actor.account && note.tag === ratingTag(ctx, actor.account.id, note.companyId))
    throw new Refusal('forbidden', 'You cannot vote on your own note')
  const changed = isHelpful
    ? await db.query(sql`
          insert into rating_votes (rating_id, author_key) values (${id}, ${authorKey})
          on conflict do nothing returning rating_id`)
    : await db.query(sql`
          delete from rating_votes where rating_id = ${id} and author_key = ${authorKey}
          returning rating_id`)
  const { companyId } = note
  if (changed.length === 0) return { companyId, helpful: note.helpful, isHelpful }
  const helpful = note.helpful + (isHelpful ? 1 : -1)
  await db.query(sql`update ratings set helpful = ${helpful} where id = ${id}`)
  return { companyId, helpful, isHelpful }
}
