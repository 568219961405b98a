/** Writes ratings. What counts changes with the next publication, not here. */

import { randomUUID } from 'node:crypto'
import sql, { join } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccount, requirePersonRoot } from '#app/api/auth/require.server.ts'
import { companyIds, noCompany } from '#app/companies/merging/merged-companies.server.ts'
import { markdownHtml } from '#app/kit/writing/markdown.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { forbidden, notFound } from '#app/platform/http/refusal.ts'
import { countHelpful, helpfulKey } from './helpful-votes.server.ts'
import {
  forgetNotes,
  hasStars,
  lockNumbers,
  NOTE_TABLES,
  type NoteTables,
  publishRatings,
  type RatingSettings,
} from './publication.server.ts'
import type { MyRating } from './rating.contract.ts'
import { RATING_REFUSALS } from './rating.ts'
import { broadcastRatingChange } from './rating-events.server.ts'
import type { RatingInput } from './rating-input.ts'
import { myColumns } from './rating-queries.server.ts'
import { ratingTag, ratingTags, tagsOf } from './rating-tag.server.ts'

/** The month's first day. */
export const thisMonth = (ctx: Pick<ServerContext, 'now'>) => `${todayOf(ctx).slice(0, 7)}-01`

/** @throws Refusal not-found without the company */
export const changeRating = (ctx: ServerContext, rating: WrittenRating, settings: RatingSettings) =>
  changeAndPublish(ctx, rating.companyId, settings, ({ db }) => insertRating(db, rating))

/**
 * Changes a rating and, with a batch of one, publishes it immediately. @param change one statement, which is the whole
 * transaction if there's no publication
 */
async function changeAndPublish<Changed extends { id: string } | undefined>(
  ctx: ServerContext,
  companyId: string,
  settings: RatingSettings,
  change: (ctx: ServerContext) => Promise<Changed>,
) {
  if (settings.ratingBatch !== 1) return change(ctx)
  return transaction(ctx, async (ctx) => {
    await lockNumbers(ctx.db, companyId)
    const changed = await change(ctx)
    if (changed) await publishRatings(ctx, companyId, [changed.id], settings)
    return changed
  })
}

interface WrittenRating extends RatingInput {
  companyId: string
  tag: string
  /** Hash of the key that finds it. Null for ratings under an account. */
  holderKeyHash: Buffer | null
  /** Hash of the key that removes this version. Null if the holder's key does. */
  removalKeyHash: Buffer | null
  /** The badge it was presented with. */
  badgeDomain: string | null
  month: string
  version: number
}

/** @throws Refusal not-found without the company */
async function insertRating(db: Database, rating: WrittenRating): Promise<MyRating> {
  const {
    companyId,
    tag,
    holderKeyHash,
    month,
    rto,
    dei,
    workLife,
    culture,
    officeDays,
    relation,
    era,
  } = rating
  const [mine] = await db.query<MyRating>(
    sql`
    insert into ratings as rating
      (company_id, tag, holder_key_hash, badge_domain, month, rto, dei, work_life, culture, office_days, relation, era,
       note, note_html, version, removal_key_hash)
    select id, ${tag}, ${holderKeyHash}::bytea, ${rating.badgeDomain}, ${month}::date, ${rto}::smallint, ${dei}::smallint, ${workLife}::smallint,
           ${culture}::smallint, ${officeDays}::smallint, ${relation}, ${era}, ${rating.note},
           ${markdownHtml(rating.note)}, ${rating.version}::integer, ${rating.removalKeyHash}::bytea
      from companies where id = ${companyId} for key share
    on conflict (tag) do update
      set holder_key_hash = excluded.holder_key_hash, badge_domain = excluded.badge_domain, month = excluded.month, rto = excluded.rto, dei = excluded.dei,
          work_life = excluded.work_life, culture = excluded.culture,
          office_days = excluded.office_days, relation = excluded.relation, era = excluded.era,
          note = excluded.note, note_html = excluded.note_html, version = excluded.version,
          removal_key_hash = excluded.removal_key_hash
    returning ${myColumns}`,
    PREPARED,
  )
  if (!mine) throw noCompany()
  return mine
}

/** @throws Refusal not-found */
export async function removeRating(ctx: Ctx, companyId: string, settings: RatingSettings) {
  const { id: account } = requireAccount(ctx)
  const company = await companyIds(ctx.db, companyId)
  return removeByTags(ctx, company.id, ratingTags(ctx, account, company), settings)
}

/** @throws Refusal not-found if none of these tags has a rating */
export async function removeByTags(
  ctx: ServerContext,
  companyId: string,
  tags: string[],
  settings: RatingSettings,
) {
  let isRemoved = false
  for (const tag of tags) if (await emptyRating(ctx, companyId, { tag }, settings)) isRemoved = true
  if (!isRemoved) throw notFound(RATING_REFUSALS.notFound)
  return { isRemoved: true as const }
}

/**
 * Empties stars and text immediately. The public row follows like any change. @param tag emptyTag is the empty row's tag
 * from now on, for people who leave @returns false if there is none
 */
export async function emptyRating(
  ctx: ServerContext,
  companyId: string,
  { tag, emptyTag = tag }: { tag: string; emptyTag?: string },
  settings: RatingSettings,
) {
  const emptied = await changeAndPublish(ctx, companyId, settings, async ({ db, now }) => {
    const [emptied] = await db.query<{ id: string }>(sql`
      update ratings rating
         set tag = ${emptyTag}, month = ${thisMonth({ now })}, rto = null, dei = null,
             work_life = null, culture = null, office_days = null, relation = null, era = null,
             note = '', note_html = '', badge_domain = null
       where tag = ${tag} and ${hasStars} returning id`)
    return emptied
  })
  return emptied !== undefined
}

/** @throws Refusal not-found, forbidden for your own note */
export const voteHelpful = (
  ctx: Ctx,
  id: string,
  isHelpful: boolean,
  { ratingBatch }: Pick<RatingSettings, 'ratingBatch'>,
) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const companyId = await storeHelpfulVote(ctx, id, isHelpful)
    const isCounted = ratingBatch === 1
    if (isCounted) {
      await countHelpful(db, sql`id = ${id}`)
      broadcastRatingChange(db, companyId)
    }
    return { isHelpful, isCounted }
  })

async function storeHelpfulVote(ctx: Ctx, id: string, isHelpful: boolean) {
  const { db, actor } = ctx
  const inTable = ({ given, shown }: NoteTables) => sql`
      select * from (
        select shown.company_id as "companyId", given.tag,
               coalesce(given.merged_from, shown.company_id) as "givenTo"
          from ${shown} shown left join ${given} given on given.id = shown.id
         where shown.id = ${id} and shown.note <> '' and shown.note_hidden is null
           for key share of shown) note`
  const [note] = await db.query<{ companyId: string; givenTo: string; tag: string | null }>(
    join(NOTE_TABLES.map(inTable), ' union all '),
  )
  if (!note) throw notFound(RATING_REFUSALS.noNote)
  if (actor.account && note.tag === ratingTag(ctx, actor.account.id, note.givenTo))
    throw forbidden(RATING_REFUSALS.ownNote)
  // The company it was given to, so no one votes twice after a merge.
  const key = helpfulKey(requirePersonRoot(ctx).root, note.givenTo)
  await db.query(
    isHelpful
      ? sql`
          insert into rating_votes (rating_id, key) values (${id}, ${key})
          on conflict do nothing`
      : sql`delete from rating_votes where rating_id = ${id} and key = ${key}`,
  )
  return note.companyId
}

/**
 * Part of the task that follows an account's deletion. Safe to repeat. @param posts `keep` leaves ratings under a tag
 * that no one can compute, so not even trying all accounts finds them. `remove` empties them, and the numbers follow with
 * the next publication, so no number reveals that someone just left
 */
export async function forgetRater(
  ctx: ServerContext,
  { accountId, posts }: { accountId: string; posts: 'keep' | 'remove' },
  settings: RatingSettings,
) {
  for await (const tags of tagsOf(ctx, accountId)) {
    const given = await ctx.db.query<{ tag: string; companyId: string }>(sql`
      select tag, company_id as "companyId" from ratings where tag = any(${tags}::text[])`)
    for (const { tag, companyId } of given) {
      // The tag of an account that never existed. It looks like any other, and doesn't reveal who left.
      const nobodys = ratingTag(ctx, randomUUID(), companyId)
      if (posts === 'remove')
        await emptyRating(ctx, companyId, { tag, emptyTag: nobodys }, settings)
      // Kept ratings, and those taken back before that are still public.
      await ctx.db.query(sql`update ratings set tag = ${nobodys} where tag = ${tag}`)
    }
  }
  // Helpful votes still count, under keys that no one can compute.
}

/**
 * Removes a company's ratings and what depends on their notes. Nothing may reference the table, so nothing cascades. Run
 * it in a transaction that holds the company, whose numbers are deleted with it. @returns how many public ratings were
 * deleted
 */
export async function removeRatingsOf(ctx: ServerContext, companyId: string): Promise<number> {
  const { db } = ctx
  // Votes and reports lock the note first, so theirs are visible to the statements below.
  const ratings = await db.query<{ id: string }>(
    sql`select id from public_ratings where company_id = ${companyId} order by id for update`,
  )
  const ids = ratings.map(({ id }) => id)
  await forgetNotes(ctx, ids)
  await db.query(sql`delete from public_ratings where company_id = ${companyId}`)
  await db.query(sql`delete from ratings where company_id = ${companyId}`)
  return ids.length
}
