/** Publishes ratings. A number, a note or a file of ratings changes only here. D39. */

import sql, { raw, type Sql } from 'sql-template-tag'
import { firstDayOf, quartersAround } from '#app/api/credential/quarter.ts'
import { removeCompanyRepliesTo } from '#app/community/replies/reply-commands.server.ts'
import { POSTS_REMOVED } from '#app/community/reports/post-moderation.server.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { reportOmittedRows } from '#app/platform/database/rows.server.ts'
import {
  emit,
  type ServerContext,
  transaction,
} from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { isUnavailable } from '#app/platform/http/unavailable.ts'
import { SURGE_MIN } from './rating.ts'
import { broadcastNoteRemoval, broadcastRatingChange } from './rating-events.server.ts'
import { markSurges, refreshScore, tenths } from './score.server.ts'

export interface RatingSettings {
  /** With fewer ratings, a company shows no score. */
  minShown: number
  /** How many people's ratings of a company we publish together, at least. */
  ratingBatch: number
}

/** A condition for queries of `ratings rating`: not removed. */
export const hasStars = sql`
  num_nonnulls(rating.rto, rating.dei, rating.work_life, rating.culture) > 0`

/** The rating waits: `ratings rating` differs from `public_ratings shown`, which is left-joined. */
export const isUnpublished = sql`(
  (shown.id is not null or ${hasStars})
  and row(rating.month, rating.rto, rating.dei, rating.work_life, rating.culture, rating.office_days,
          rating.relation, rating.era, rating.note, rating.badge_domain)
   is distinct from row(shown.month, shown.rto, shown.dei, shown.work_life, shown.culture,
          shown.office_days, shown.relation, shown.era, shown.note, shown.badge_domain))`

/** Where notes are: as people gave them, and as everyone reads them. */
export const NOTE_TABLES = [
  { given: raw('ratings'), shown: raw('public_ratings') },
  { given: raw('interviews'), shown: raw('public_interviews') },
] as const
export type NoteTables = (typeof NOTE_TABLES)[number]

export const withShown = sql`ratings rating left join public_ratings shown on shown.id = rating.id`

/** Every company where enough people wait, or someone has waited long enough. @returns how many companies */
export async function publishRatingsOfTheDay(ctx: ServerContext, settings: RatingSettings) {
  const { db } = ctx
  const today = todayOf(ctx)
  await withdrawWords(ctx, NOTE_TABLES[0])
  const companies = await db.transaction(async (db) => {
    await db.query(sql`set local statement_timeout = 0`)
    return db.query<{ id: string }>(sql`
      select distinct rating.company_id as id from ${withShown} where ${isUnpublished}
       group by rating.company_id, rating.merged_from
      having count(*) >= ${settings.ratingBatch} or min(rating.month) < ${overdueBefore(today)}::date`)
  })
  const failures: unknown[] = []
  for (const { id } of companies)
    await transaction(ctx, async (ctx) => {
      if (!(await lockNumbers(ctx.db, id))) return
      const waiting = await ctx.db.query<Waiting>(sql`
        select rating.id, rating.month::text as month, rating.merged_from as "mergedFrom"
          from ${withShown}
         where rating.company_id = ${id} and ${isUnpublished} for no key update of rating`)
      await publishRatings(
        ctx,
        id,
        dueRatingIds(waiting, { ratingBatch: settings.ratingBatch, today }),
        settings,
      )
    }).catch((error) => failures.push(error))
  await db.transaction(async (db) => {
    await db.query(sql`set local statement_timeout = 0`)
    await sweepTakenBack(db, sql`true`, today)
  })
  // What the database was away or too slow for is tried again soon, everything else the next night.
  const away = failures.find(isUnavailable)
  if (away) throw away
  if (failures.length > 0)
    reportOmittedRows('companies whose ratings are due', failures.length, failures[0])
  return companies.length - failures.length
}

/**
 * If authors emptied or changed notes, the old text disappears the first night, on its own, because it may give someone
 * away. That changes no number, and reveals only the day.
 */
export const withdrawWords = (ctx: ServerContext, { given, shown }: NoteTables) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    await db.query(sql`set local statement_timeout = 0`)
    const gone = await db.query<{ id: string; companyId: string }>(sql`
      update ${shown} shown set note = '', note_html = ''
        from ${given} given
       where given.id = shown.id and shown.note <> '' and shown.note <> given.note
      returning shown.id, shown.company_id as "companyId"`)
    if (gone.length === 0) return
    // Replies to the old text don't fit a later one.
    await removeCompanyRepliesTo(
      db,
      gone.map(({ id }) => id),
    )
    for (const companyId of new Set(gone.map(({ companyId }) => companyId))) {
      await broadcastNoteRemoval(db, companyId)
      broadcastRatingChange(db, companyId)
    }
  })

/** Locks the company before its numbers, in the same order as a deletion. @returns whether the company exists */
export async function lockNumbers(db: Database, companyId: string) {
  const numbers = await db.query(
    sql`
    with company as (select id from companies where id = ${companyId} for key share)
    select from company_stats where company_id = (select id from company) for no key update`,
    PREPARED,
  )
  return numbers.length > 0
}

interface Published {
  /** Months that gained ratings. */
  grown: { month: string; ratings: number }[]
  /** Deleted notes. */
  gone: string[]
  /** Rows of which we delete only the text. */
  unsaid: string[]
}

/** Call this in a transaction that holds `lockNumbers`. */
export async function publishRatings(
  ctx: ServerContext,
  companyId: string,
  ids: string[],
  settings: RatingSettings,
) {
  if (ids.length === 0) return
  const { db } = ctx
  const today = todayOf(ctx)
  const [published] = await db.query<Published>(publicationOf(companyId, ids), PREPARED)
  const { grown = [], gone = [], unsaid = [] } = published ?? {}
  const busy = grown.filter(({ ratings }) => ratings >= SURGE_MIN).map(({ month }) => month)
  if (busy.length > 0) await markSurges(db, { companyId, months: busy, today })
  await refreshScore(db, companyId, { today, minShown: settings.minShown })
  if (gone.length > 0) {
    await sweepTakenBack(db, sql`id = any (${ids}::uuid[])`, today)
    await forgetNotes(ctx, gone)
  }
  // Replies to the old text don't fit a later one.
  if (unsaid.length > 0) await removeCompanyRepliesTo(db, unsaid)
  if (gone.length + unsaid.length > 0) await broadcastNoteRemoval(db, companyId)
  broadcastRatingChange(db, companyId)
}

/** Removes what depends on notes that are gone. Nothing may reference their tables, so nothing cascades. */
export async function forgetNotes(ctx: ServerContext, ids: string[]) {
  await ctx.db.query(sql`delete from rating_votes where rating_id = any (${ids}::uuid[])`)
  await emit(ctx, POSTS_REMOVED, { kind: 'note', ids })
  await removeCompanyRepliesTo(ctx.db, ids)
}

/**
 * Deletes rows that were removed and are no longer public. Rows with a credential keep their number until no earlier
 * request is valid, which is when that quarter's credentials have expired.
 */
const sweepTakenBack = (db: Database, which: Sql, today: string) =>
  db.query(sql`
    delete from ratings rating
     where ${which} and not ${hasStars}
       and (holder_key_hash is null or month < ${firstDayOf(quartersAround(today)[0])}::date)
       and not exists (select from public_ratings where id = rating.id)`)

const given = (column: Sql, stars: number) =>
  sql`coalesce(sum(n) filter (where ${column} = ${raw(String(stars))}), 0)`
const starsIn = (column: Sql) => sql`
  array[${given(column, 1)}, ${given(column, 2)}, ${given(column, 3)}, ${given(column, 4)},
        ${given(column, 5)}]::integer[]`

/** Writes rows and months in one statement. A note keeps its votes and moderators' decisions. */
const publicationOf = (companyId: string, ids: string[]) => sql`
  with taken as (
    delete from public_ratings where id = any (${ids}::uuid[]) returning *),
  given as (
    insert into public_ratings
      (id, company_id, month, rto, dei, work_life, culture, office_days, relation, era, note, note_html,
       badge_domain, note_hidden, note_hidden_reason, helpful, is_announced)
    select rating.id, rating.company_id, rating.month, rating.rto, rating.dei, rating.work_life,
           rating.culture, rating.office_days, rating.relation, rating.era, rating.note,
           rating.note_html, rating.badge_domain, taken.note_hidden, taken.note_hidden_reason, coalesce(taken.helpful, 0),
           coalesce(taken.is_announced and taken.note <> '', false)
      from ratings rating left join taken on taken.id = rating.id
     where rating.id = any (${ids}::uuid[]) and ${hasStars}
     -- Sorting reads all of "taken" before the first insert; at random, so row order doesn't tell who came first.
     order by gen_random_uuid()
    returning *),
  change as (
    select month, sum(n)::integer as ratings, sum(n * tenths)::integer as tenths,
           ${starsIn(sql`rto`)} as rto, ${starsIn(sql`dei`)} as dei,
           ${starsIn(sql`work_life`)} as work_life, ${starsIn(sql`culture`)} as culture
      from (select -1 as n, month, rto, dei, work_life, culture, ${tenths} as tenths from taken
            union all
            select 1, month, rto, dei, work_life, culture, ${tenths} from given) changed
     group by month),
  counted as (
    insert into rating_months as m (company_id, month, ratings, tenths, rto, dei, work_life, culture)
    select ${companyId}, month, ratings, tenths, rto, dei, work_life, culture from change
    on conflict (company_id, month) do update
      set ratings = m.ratings + excluded.ratings, tenths = m.tenths + excluded.tenths,
          rto = sum_of_stars(m.rto, excluded.rto), dei = sum_of_stars(m.dei, excluded.dei),
          work_life = sum_of_stars(m.work_life, excluded.work_life),
          culture = sum_of_stars(m.culture, excluded.culture)
    returning month, ratings)
  select coalesce((select json_agg(json_build_object('month', counted.month, 'ratings', counted.ratings))
                     from counted join change using (month) where change.ratings > 0), '[]') as grown,
         array(select id from taken where not exists (select from given where id = taken.id)) as gone,
         array(select taken.id from taken join given using (id)
                where taken.note <> '' and given.note = '') as unsaid`

/** A rating that differs from its public row. */
export interface Waiting {
  id: string
  /** First day of the month of its last change. */
  month: string
  /** The company it was given to, if that has been merged since. See `dueRatingIds`. */
  mergedFrom?: string | null
}

/**
 * Whose ratings of a company we publish now: everyone's if a whole batch waits, or else those that have waited a whole
 * month, because they reveal no more than the month. Someone may have rated both of two merged companies, and no one
 * can tell. So each former company is its own batch, which also keeps batches whole when a merge is undone.
 * @param today a day
 */
export function dueRatingIds(
  waiting: readonly Waiting[],
  { ratingBatch, today }: { ratingBatch: number; today: string },
): string[] {
  const people = new Map<string, number>()
  const given = ({ mergedFrom }: Waiting) => mergedFrom ?? ''
  for (const one of waiting) people.set(given(one), (people.get(given(one)) ?? 0) + 1)
  const before = overdueBefore(today)
  return waiting
    .filter((one) => (people.get(given(one)) ?? 0) >= ratingBatch || one.month < before)
    .map(({ id }) => id)
}

/** We publish ratings from before this month, even if there are only a few, because a whole month has passed. */
export function overdueBefore(today: string): string {
  const date = new Date(`${today.slice(0, 7)}-01`)
  date.setUTCMonth(date.getUTCMonth() - 1)
  return date.toISOString().slice(0, 10)
}

/** Marks a company's notes that no email has announced as announced, and returns their ids. */
export async function announceNotes(db: Database, companyId: string): Promise<string[]> {
  const notes = await db.query<{ id: string }>(sql`
    update public_ratings set is_announced = true
     where company_id = ${companyId} and note <> '' and note_hidden is null and not is_announced
    returning id`)
  return notes.map(({ id }) => id)
}
