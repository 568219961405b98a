/** Publishes interviews. What anyone reads of them changes only here, at the beginning of a month. */
import sql, { raw } from 'sql-template-tag'
import { removeCompanyRepliesTo } from '#app/community/replies/reply-commands.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import {
  dueRatingIds,
  forgetNotes,
  NOTE_TABLES,
  type Waiting,
  withdrawWords,
} from '../publication.server.ts'
import { thisMonth } from '../rating-commands.server.ts'
import { broadcastRatingChange } from '../rating-events.server.ts'
import { INTERVIEW_BATCH } from './interview.ts'

const COLUMNS = ['month', 'year', 'steps', 'weeks', 'has_offer', 'difficulty', 'feeling', 'note']
const columnsOf = (row: string) => raw(COLUMNS.map((column) => `${row}.${column}`).join(', '))

/**
 * Publishes last month's interviews where enough people gave one, and those that have waited a whole month.
 * @returns how many changed
 */
export async function publishInterviews(ctx: ServerContext) {
  await withdrawWords(ctx, NOTE_TABLES[1])
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    await db.query(sql`set local statement_timeout = 0`)
    // Someone may have given several years' interviews, so each year's are a batch of their own.
    const waiting = await db.query<Waiting & { companyId: string }>(sql`
      select interview.id, interview.month::text as month, interview.company_id as "companyId",
             concat_ws(' ', interview.company_id, interview.year, merged_from) as "mergedFrom"
        from interviews interview left join public_interviews shown on shown.id = interview.id
       where interview.month < ${thisMonth(ctx)}::date
         and (shown.id is not null or interview.steps is not null)
         and row(${columnsOf('interview')}) is distinct from row(${columnsOf('shown')})
         for no key update of interview`)
    const due = dueRatingIds(waiting, { ratingBatch: INTERVIEW_BATCH, today: todayOf(ctx) })
    const [published] = await db.query<{ gone: string[]; unsaid: string[] }>(publicationOf(due))
    const { gone = [], unsaid = [] } = published ?? {}
    await forgetNotes(ctx, gone)
    await removeCompanyRepliesTo(db, unsaid)
    const changed = waiting.filter(({ id }) => due.includes(id))
    for (const id of new Set(changed.map(({ companyId }) => companyId)))
      broadcastRatingChange(db, id)
    return changed.length
  })
}

/** A text keeps its votes and moderators' decisions. */
const publicationOf = (ids: string[]) => sql`
  with taken as (
    delete from public_interviews where id = any (${ids}::uuid[]) returning *),
  told as (
    insert into public_interviews
           (id, company_id, ${raw(COLUMNS.join(', '))}, note_html, note_hidden, note_hidden_reason,
            helpful)
    select interview.id, interview.company_id, ${columnsOf('interview')}, interview.note_html,
           taken.note_hidden, taken.note_hidden_reason, coalesce(taken.helpful, 0)
      from interviews interview left join taken on taken.id = interview.id
     where interview.id = any (${ids}::uuid[]) and interview.steps is not null
     -- Sorting reads all of "taken" before the first insert; at random, so row order doesn't tell who came first.
     order by gen_random_uuid()
    returning *)
  select array(select id from taken where not exists (select from told where id = taken.id)) as gone,
         array(select taken.id from taken join told using (id)
                where taken.note <> '' and told.note = '') as unsaid`
