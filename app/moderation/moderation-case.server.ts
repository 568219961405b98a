/** A case: what was said and decided about one post. It is made when it is first needed. */
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Cause, HiddenState, PostKind, PostRef } from '#app/community/reports/report.ts'
import type { DataContext } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { dayOf } from '#app/platform/jobs/days.server.ts'

type AppealStatus = 'open' | 'accepted' | 'declined'

export interface CaseRow {
  id: string
  isOpen: boolean
  isCleared: boolean
  note: string | null
  appeal: string | null
  appealStatus: AppealStatus | null
  hasReports: boolean
}

/** What a decision about showing a post changes: to be as before, all of this is put back. */
export interface CaseBefore extends Pick<CaseRow, 'isOpen' | 'isCleared' | 'note'> {
  appealStatus: AppealStatus | null
  hasReports: boolean
  hidden: { state: HiddenState; reason: string | null } | null
}

const ABOUT = {
  thread: sql`thread_id`,
  comment: sql`comment_id`,
  note: sql`note_id`,
  job: sql`job_id`,
  reply: sql`reply_id`,
  room: sql`room_post_id`,
}
const isAbout = ({ kind, id }: PostRef) => sql`${ABOUT[kind]} = ${id}`

/** The case, for nobody else to change meanwhile. Lock its post first. */
export async function takeCase(
  { db, now }: DataContext,
  post: PostRef,
  cause: Cause = 'moderator',
): Promise<CaseRow> {
  const idOf = (kind: PostKind) => (post.kind === kind ? post.id : null)
  await db.query(sql`
    insert into moderation_cases
      (thread_id, comment_id, note_id, job_id, reply_id, room_post_id, cause, is_open, opened_on)
    values (${idOf('thread')}, ${idOf('comment')}, ${idOf('note')}, ${idOf('job')},
            ${idOf('reply')}, ${idOf('room')}, ${cause}, false, ${dayOf(now())}::date) on conflict do nothing`)
  const [taken] = await db.query<CaseRow>(sql`
    select id, is_open as "isOpen", is_cleared as "isCleared", note, appeal,
           appeal_status as "appealStatus",
           exists (select from reports where case_id = moderation_cases.id and not is_settled)
             as "hasReports"
      from moderation_cases where ${isAbout(post)} for update`)
  return taken as CaseRow
}

/** Puts a case before the moderators. One that waits already keeps its place and its cause. */
export const openCase = ({ db, now }: DataContext, { id }: CaseRow, cause: Cause) =>
  db.query(sql`
    update moderation_cases
       set is_open = true, cause = ${cause}, opened_on = ${dayOf(now())}::date,
           opened_nth = ${nextOf(sql`is_open`, dayOf(now()))}
     where id = ${id} and not is_open`)

/** Behind all others of the day: two that come at the same moment may share a number. */
export const nextOf = (waits: Sql, day: string) => sql`
  (select coalesce(max(opened_nth), 0) + 1 from moderation_cases
    where ${waits} and opened_on = ${day}::date)`

/** Moderators cleared other words than these: reports may hold the post again. */
export const reopenToReports = (db: Database, post: PostRef) =>
  db.query(sql`
    update moderation_cases set is_cleared = false where ${isAbout(post)} and is_cleared`)

/** A case goes with its post, where the database does not see to it. */
export const removeCases = (db: Database, { kind, ids }: { kind: PostKind; ids: string[] }) =>
  db.query(sql`delete from moderation_cases where ${ABOUT[kind]} = any (${ids}::uuid[])`)

/** Closes a case by a decision: what was reported until then is settled. */
export async function closeCase(db: Database, { id }: CaseRow, also?: Sql) {
  await db.query(sql`
    update moderation_cases set is_open = false ${also ? sql`, ${also}` : empty} where id = ${id}`)
  await db.query(sql`
    update reports set is_settled = true where case_id = ${id} and not is_settled`)
}
