/** Numbers only: no names, addresses or texts. */
import sql, { join, type Sql } from 'sql-template-tag'
import type { Actor } from '#app/api/auth/actor.ts'
import { may } from '#app/api/auth/permissions.ts'
import { filedCases, isPostThere } from '#app/moderation/cases.server.ts'
import type { DataContext } from '#app/platform/database/context.server.ts'
import { DAY_MS, HOUR_MS } from '#app/platform/jobs/days.server.ts'
import { isOpenNotice } from '../contact/contact-queries.server.ts'
import { MAIL_NAMES } from './administration.ts'
import { WAITING_COUNTED, WAITING_KINDS, type WaitingItem, type WaitingKind } from './waiting.ts'

const DECIDES: Record<WaitingKind, (actor: Actor) => boolean> = {
  reports: may.moderate,
  appeals: may.moderate,
  claims: may.openAdminPanel,
  requests: may.manageCompanyRequests,
  notices: may.readContactMessages,
  messages: may.readContactMessages,
  edits: may.editCompanies,
  mails: may.openAdminPanel,
}

/** A legal notice without an answer on its due date. */
const isLate = (now: Date) =>
  sql`(${isOpenNotice} and answer_by <= ${now.toISOString()}::timestamptz)`

/** Rows of `since`. The oldest come first where there may be many. */
const rowsOf = (now: Date): Record<WaitingKind, Sql> => ({
  reports: sql`select filed.opened_on as since ${filedCases} where filed.is_open and ${isPostThere}`,
  appeals: sql`
    select filed.opened_on as since ${filedCases}
     where filed.appeal_status = 'open' and ${isPostThere}`,
  claims: sql`
    select claimed_on as since from employer_claims
     where status = 'pending' and is_verified order by number`,
  requests: sql`
    select created_on as since from company_requests where status = 'pending' order by number`,
  notices: sql`
    select created_at as since from contact_messages where ${isLate(now)} order by number`,
  messages: sql`
    select created_at as since from contact_messages
     where status = 'unread' and not ${isLate(now)} order by number`,
  edits: sql`select made_on as since from company_edits where status = 'suggested' order by id`,
  mails: sql`
    select given_up_on as since from job_queue
     where due_at is null and given_up is not null
       and kind = any (${Object.keys(MAIL_NAMES)}::text[])`,
})
/** Everything else is stored by day. */
const BY_HOUR: readonly WaitingKind[] = ['notices', 'messages']

/** What waits for this person's decision. Omits empty kinds. */
export async function waitingFor({ db, now }: DataContext, actor: Actor): Promise<WaitingItem[]> {
  const kinds = WAITING_KINDS.filter((kind) => DECIDES[kind](actor))
  if (kinds.length === 0) return []
  const rowsOfKind = rowsOf(now())
  const counts = kinds.map(
    (kind) => sql`
    select ${kind}::text as kind, count(*)::integer as count,
           floor(extract(epoch from min(since)) / 3600)::integer as hour
      from (${rowsOfKind[kind]} limit ${WAITING_COUNTED}) waiting`,
  )
  const rows = await db.query<{ kind: WaitingKind; count: number; hour: number | null }>(
    join(counts, ' union all '),
  )
  const found = new Map(rows.map((row) => [row.kind, row]))
  return kinds.flatMap((kind) => {
    const { count = 0, hour = null } = found.get(kind) ?? {}
    return count > 0 ? { kind, count, age: hour === null ? null : ageOf(kind, hour, now()) } : []
  })
}

/** @param hour since 1970 */
function ageOf(kind: WaitingKind, hour: number, now: Date) {
  const hours = Math.floor(now.getTime() / HOUR_MS) - hour
  const days = Math.floor(now.getTime() / DAY_MS) - Math.floor(hour / 24)
  // In case the clock was set back.
  return BY_HOUR.includes(kind)
    ? { n: Math.max(hours, 0), unit: 'hour' as const }
    : { n: Math.max(days, 0), unit: 'day' as const }
}
