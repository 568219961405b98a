/** The moderators' queue. No response says who wrote or reported something. */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { openAuthors } from '#app/community/discussions/posts/own-posts.server.ts'
import { heldVotes } from '#app/community/discussions/votes/held-votes.server.ts'
import type { PostView } from '#app/community/reports/post-moderation.server.ts'
import type { Cause, PostKind, PostRef } from '#app/community/reports/report.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { EXCERPT_SOURCE, excerptOf } from '#app/kit/writing/excerpt.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { requireCursor, writeCursor } from '#app/platform/database/keyset.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { decidesAppeal } from './appeal-queries.server.ts'
import { companyOfCase, filedCases, isPostThere } from './cases.server.ts'
import type { Case, QueueFilter, QueueList } from './moderation.contract.ts'
import { CASE_REASONS, type CaseReason, isReason } from './moderation.ts'
import { latestEntries } from './moderation-log.server.ts'
import { postOf, viewPosts } from './posts.server.ts'

/** How many cases a page has. */
const PAGE = 20
/** A position in the queue. Dates are days since 1970, because any such number is a valid date. */
const POSITION_FORM = /^[01] \d{1,9} \d{1,6} \d{1,9}$/

const LISTED = {
  open: sql`filed.is_open`,
  appeals: sql`filed.appeal_status = 'open'`,
}

const isHeld = sql`coalesce(
  thread.hidden, comment.hidden, note.note_hidden, job.hidden, reply.hidden, room.hidden) = 'held'`
const openReports = sql`
  (select count(*)::integer from reports where case_id = filed.id and not is_settled)`

/** Held posts come first, because no one sees them meanwhile. Appeals have no such order. */
const WEIGHT = {
  open: { held: sql`case when ${isHeld} then 0 else 1 end`, reports: openReports },
  appeals: { held: sql`0::integer`, reports: sql`(0::integer)` },
}

/** An appeal is about the reason of the removal. */
const removedFor = sql`coalesce(thread.hidden_reason, comment.hidden_reason, note.note_hidden_reason,
  job.hidden_reason, reply.hidden_reason, room.hidden_reason)`
const isReportedFor = (why: CaseReason) => sql`exists (
  select from reports where case_id = filed.id and not is_settled and reason = ${why})`

function isWaitingFor(list: QueueList, why: CaseReason | undefined): Sql {
  if (why === undefined) return sql`true`
  if (!isReason(why)) return sql`filed.cause = ${why}`
  return list === 'appeals' ? sql`${removedFor} = ${why}` : isReportedFor(why)
}

const isOfCompany = (company: string | undefined) =>
  company === undefined ? sql`true` : sql`${companyOfCase} = ${company}::uuid`

interface RawCase extends Pick<Case, 'reports' | 'notes' | 'note' | 'isCleared' | 'watched'> {
  filedAs: string
  kind: PostKind
  id: string
  cause: Cause
  appeal: string | null
  appealStatus: 'open' | 'accepted' | 'declined' | null
  mayDecide: boolean
  suspendedUntil: string | null
  position: string
}

/**
 * A page of cases by keyset: held posts first, then those with the most reports, then those that have waited longest.
 * @throws Refusal bad-request
 */
export async function moderationQueue(
  ctx: Ctx,
  { list, after, ...filter }: QueueFilter & { list: QueueList; after?: string },
) {
  const cursor = after === undefined ? undefined : requireCursor(after, list, POSITION_FORM)
  const { held, reports } = WEIGHT[list]
  const position = sql`
    ${held}, -${reports}, filed.opened_on - date '1970-01-01', filed.opened_number`
  const [isShown, count, day, nth] = cursor?.value.split(' ').map(Number) ?? []
  const from = cursor
    ? sql`(${position}, filed.id) > (${isShown}::integer, -(${count}::integer), ${day}::integer,
                                     ${nth}::integer, ${cursor.id}::uuid)`
    : sql`true`
  // An appeal is about all reports that the removal settled.
  const counts = list === 'appeals' ? sql`true` : sql`not is_settled`
  const rows = await ctx.db.query<RawCase>(sql`
    select filed.id as "filedAs", ${postOf(sql`filed`)},
           filed.cause, filed.watched, filed.note, filed.is_cleared as "isCleared", filed.appeal,
           filed.appeal_status as "appealStatus", ${await decidesAppeal(ctx)} as "mayDecide",
           (select coalesce(json_agg(json_build_object('reason', reason, 'count', count)
                     order by count desc, reason), '[]')
              from (select reason, count(*)::integer as count from reports
                     where case_id = filed.id and ${counts} group by reason) counted) as reports,
           -- In the order of the alphabet: another one could tell who came first.
           (select coalesce(json_agg(note order by note), '[]') from reports
             where case_id = filed.id and note <> '' and ${counts}) as notes,
           (select max(ends_on) from suspensions
             where case_id = filed.id and ends_on >= ${dayOf(ctx.now())}::date) as "suspendedUntil",
           concat_ws(' ', ${held}, ${reports}, filed.opened_on - date '1970-01-01',
                     filed.opened_number) as position
      ${filedCases} where ${LISTED[list]} and ${isPostThere} and ${from}
            and ${isWaitingFor(list, filter.why)} and ${isOfCompany(filter.company)}
     order by ${position}, filed.id limit ${PAGE + 1}`)
  const shown = rows.slice(0, PAGE)
  const last = shown.at(-1)
  const views = await viewPosts(ctx.db, shown)
  const ids = shown.map(({ id }) => id)
  const votes = await heldVotes(ctx.db, ids)
  const others = await heldBySameAuthor(ctx, ids)
  const together = [...others.values()].flat().map(({ id }) => id)
  const threads = [...views.values()].flatMap(({ thread }) => thread.id ?? [])
  const latest = await latestEntries(ctx.db, [...ids, ...together, ...threads])
  const seenOf = (id: string | null) => (id && latest.get(id)) || 0
  return {
    cases: shown.flatMap((row) => {
      const view = views.get(row.id)
      if (!view) return []
      const heldVotes = votes.get(row.id) ?? null
      const sameAuthor = (others.get(row.id) ?? []).map((other) => ({
        ...other,
        seen: seenOf(other.id),
      }))
      const seen = seenOf(row.id)
      const threadSeen = seenOf(view.thread.id)
      return [caseView(row, view, { seen, threadSeen, heldVotes, sameAuthor })]
    }),
    next:
      rows.length > PAGE && last
        ? writeCursor({ order: list, value: last.position, id: last.filedAs })
        : null,
    counts: await queueCounts(ctx),
    ...(await filterCounts(ctx, list, filter)),
  }
}

function caseView(
  row: RawCase,
  view: PostView,
  also: Pick<Case, 'seen' | 'threadSeen' | 'heldVotes' | 'sameAuthor'>,
): Case {
  const { thread, href, company, author, html, postedAt, isLocked, isPinned } = view
  const { kind, id, cause, watched, reports, notes, note, isCleared, suspendedUntil } = row
  const { appeal, appealStatus, mayDecide } = row
  return {
    kind,
    id,
    ...also,
    thread,
    href,
    company,
    author,
    html,
    postedAt,
    state: view.hidden ?? 'shown',
    cause,
    watched,
    reports,
    notes,
    reason: view.hidden === 'removed' ? (view.hiddenReason as Reason | null) : null,
    note,
    appeal:
      appeal !== null && appealStatus ? { text: appeal, status: appealStatus, mayDecide } : null,
    isLocked,
    isPinned,
    isCleared,
    suspendedUntil,
  }
}

async function queueCounts({ db }: Ctx) {
  const [counts] = await db.query<{ open: number; appeals: number }>(sql`
    select (count(*) filter (where ${LISTED.open}))::integer as open,
           (count(*) filter (where ${LISTED.appeals}))::integer as appeals
      ${filedCases} where (${LISTED.open} or ${LISTED.appeals}) and ${isPostThere}`)
  return counts ?? { open: 0, appeals: 0 }
}

const COMPANIES_MAX = 200

/**
 * How many cases match a filter, and the other choices: each reason within the chosen company, each company within
 * the chosen reason. Reads only waiting cases, which have an index.
 */
async function filterCounts({ db }: Ctx, list: QueueList, { why, company }: QueueFilter) {
  const listed = sql`${filedCases} where ${LISTED[list]} and ${isPostThere}`
  const [matching] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count ${listed}
       and ${isWaitingFor(list, why)} and ${isOfCompany(company)}`)
  const reasons = await db.query<{ why: CaseReason; count: number }>(sql`
    select why, count(*)::integer as count
      from (select filed.id, unnest(array_append(
                   case when ${list === 'appeals'} then array[${removedFor}] else array(
                     select distinct reason from reports where case_id = filed.id and not is_settled)
                   end, filed.cause)) as why
              ${listed} and ${isOfCompany(company)}) waiting
     where why = any (${[...CASE_REASONS]}::text[])
     group by why order by count desc, why`)
  const companies = await db.query<{ id: string; name: string; count: number }>(sql`
    select companies.id, companies.name, waiting.count
      from (select ${companyOfCase} as company_id, count(*)::integer as count
              ${listed} and ${isWaitingFor(list, why)} group by 1) waiting
      join companies on companies.id = waiting.company_id
     order by waiting.count desc, companies.name limit ${COMPANIES_MAX}`)
  return { matching: matching?.count ?? 0, reasons, companies }
}

/** How many other posts of an author a case shows. Moderators decide on a flood in portions. */
const SAME_AUTHOR_MAX = 19

/**
 * Excludes the watch list and the rule for first posts, because moderators could use those: with "the" on the list,
 * all of an author's posts would lead to each other.
 */
const heldByNoRule = sql`filed.cause not in ('watched', 'first')`
const heldPosts = sql`
  select 'thread' as kind, thread.id, thread.person_sealed as "personSealed"
    from moderation_cases filed join threads thread on thread.id = filed.thread_id
   where filed.is_open and thread.hidden = 'held' and ${heldByNoRule}
  union all
  select 'comment', comment.id, comment.person_sealed
    from moderation_cases filed join comments comment on comment.id = filed.comment_id
   where filed.is_open and comment.hidden = 'held' and not comment.is_deleted and ${heldByNoRule}
   -- In the order of random ids: another one could tell what was posted first.
   order by id`

/**
 * For each of these posts, the author's other posts that are held for the same cause, so moderators can decide on
 * them together. We never say whose they are. This covers only posts held by bursts or reports, which a moderator
 * can't cause: no report of their own shows them which posts belong together. D37 and D59.
 */
async function heldBySameAuthor({ db, secrets }: Ctx, ids: string[]) {
  const held = await db.query<PostRef & { personSealed: Uint8Array | null }>(heldPosts)
  const authors = openAuthors(secrets, held)
  const rootOf = (id: string) => authors.get(id)?.root.toString('hex')
  const byAuthor = new Map<string | undefined, PostRef[]>()
  for (const { kind, id } of held)
    byAuthor.set(rootOf(id), [...(byAuthor.get(rootOf(id)) ?? []), { kind, id }])
  byAuthor.delete(undefined)
  const others = new Map<string, PostRef[]>()
  for (const id of ids) {
    const theirs = (byAuthor.get(rootOf(id)) ?? []).filter((other) => other.id !== id)
    if (theirs.length > 0) others.set(id, theirs.slice(0, SAME_AUTHOR_MAX))
  }
  const texts = await textsOf(db, [...others.values()].flat())
  return new Map(
    [...others].map(([id, theirs]) => [
      id,
      theirs.flatMap((post): Omit<Case['sameAuthor'][number], 'seen'>[] => {
        const text = texts.get(post.id)
        return text ? [{ ...post, title: text.title, excerpt: excerptOf(text.body) }] : []
      }),
    ]),
  )
}

async function textsOf(db: Database, posts: PostRef[]) {
  const ids = [...new Set(posts.map(({ id }) => id))]
  const rows = await db.query<{ id: string; title: string; body: string }>(sql`
    select id, title, left(body, ${EXCERPT_SOURCE + 1}) as body from threads where id = any (${ids}::uuid[])
    union all
    select comment.id, thread.title, left(comment.body, ${EXCERPT_SOURCE + 1})
      from comments comment join threads thread on thread.id = comment.thread_id
     where comment.id = any (${ids}::uuid[])`)
  return new Map(rows.map((row) => [row.id, row]))
}
