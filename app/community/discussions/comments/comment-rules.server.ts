/**
 * The rules for a new comment. The statement that writes it checks all rules, so nothing can change between the check and
 * the write. If nothing was written, the same SQL says which rule was broken. Edits and votes check after they've locked
 * the row: see post-rules.server.ts.
 */

import sql, { join, type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { PersonRoot } from '#app/api/auth/roots.server.ts'
import {
  type Suspension,
  suspendedRefusal,
  suspensionQuery,
} from '#app/identity/accounts/suspension-rules.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { conflict, notFound, Refusal } from '#app/platform/http/refusal.ts'
import { slowText } from '../../reports/report.ts'
import { POST_REFUSALS } from '../discussion.ts'
import { HIDDEN_THREAD, LOCKED_THREAD } from '../posts/post-rules.server.ts'

interface Rule {
  /** JSON for the refusal, or null if the rule holds. Part of a query of `threads`. */
  broken: Sql
  refusal(facts: unknown): Refusal
}

const rule = <Facts>(broken: Sql, refusal: (facts: Facts) => Refusal): Rule => ({
  broken,
  refusal: (facts) => refusal(facts as Facts),
})

/** Rules for every comment in the thread, even one that was already sent. */
export const threadRules = ({ now }: Pick<Ctx, 'now'>, { root }: PersonRoot) => [
  rule<Suspension>(
    sql`select to_json(found) from (${suspensionQuery({ now }, root)}) found`,
    suspendedRefusal,
  ),
  rule(HIDDEN_THREAD.broken, HIDDEN_THREAD.refusal),
  rule(LOCKED_THREAD.broken, LOCKED_THREAD.refusal),
]

/** Rules for a comment that wasn't sent before. */
export const newCommentRules = ({
  threadId,
  parentId,
  key,
  minute,
}: {
  threadId: string
  parentId: string | null
  /** The author's key in this thread. */
  key: Buffer
  minute: number
}) => [
  rule<'deleted' | 'hidden'>(
    sql`case when ${parentId}::uuid is not null then to_json(nullif(coalesce(
          (select case when is_deleted then 'deleted' when hidden is not null then 'hidden' else 'open' end
             from comments where id = ${parentId} and thread_id = ${threadId}), 'deleted'), 'open')) end`,
    (state) => (state === 'hidden' ? parentRemoved() : parentDeleted()),
  ),
  // Slow mode. Only the thread's own comments say when someone wrote.
  rule<{ minutes: number; last: number }>(
    sql`select json_build_object('minutes', threads.slow_minutes, 'last', mine.posted_minute)
          from comments mine
         where threads.slow_minutes is not null and mine.thread_id = threads.id and mine.key = ${key}
           and mine.posted_minute > ${minute}::integer - threads.slow_minutes
         order by mine.posted_minute desc limit 1`,
    ({ minutes, last }) => tooSoon(minutes, Math.max(1, last + minutes - minute)),
  ),
]

export const parentDeleted = () => conflict(POST_REFUSALS.parentDeleted)
const parentRemoved = () => conflict(POST_REFUSALS.parentRemoved)

const tooSoon = (minutes: number, wait: number) =>
  new Refusal('too-many', POST_REFUSALS.tooSoon(slowText(minutes), wait), { retryAfter: wait * 60 })

/** A condition for queries of `threads` that holds if no rule is broken. */
export const allHold = (rules: Rule[]) =>
  join(
    rules.map(({ broken }) => sql`(${broken}) is null`),
    ' and ',
  )

/** @throws Refusal of the first rule that's broken, or not-found */
export async function requireRules(db: Database, threadId: string, rules: Rule[]) {
  const [thread] = await db.query<{ broken: unknown[] }>(sql`
    select json_build_array(${join(rules.map(({ broken }) => sql`(${broken})`))}) as broken
      from threads where id = ${threadId}`)
  if (!thread) throw notFound(POST_REFUSALS.noThread)
  for (const [n, { refusal }] of rules.entries())
    if (thread.broken[n] !== null) throw refusal(thread.broken[n])
}
