/** Author keys never leave: `isMine` is computed in SQL. */

import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { may } from '#app/api/auth/permissions.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { isUntrusted } from '#app/api/auth/spam-checks.server.ts'
import {
  badgeOfPost,
  isShown,
  type RawBadge,
  shownBadge,
} from '#app/companies/badges/post-badges.server.ts'
import { companyPath } from '#app/companies/company.ts'
import { atMost, type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { afterCursor, type Order, writeCursor } from '#app/platform/database/keyset.server.ts'
import { minuteOf } from '#app/platform/days.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import { isUuid } from '#app/platform/uuid.ts'
import {
  companyReplyOf,
  type RawCompanyReply,
  replyToThread,
} from '../../replies/reply-queries.server.ts'
import type {
  CompanyTopics,
  MyThread,
  Thread,
  ThreadRow,
  ThreadsPage,
  Topic,
} from '../discussion.contract.ts'
import {
  canComment,
  PERIOD_MINUTES,
  type Period,
  POST_REFUSALS,
  THREADS_PAGE,
  type ThreadSort,
  TOPICS_COUNTED,
  threadPath,
} from '../discussion.ts'
import { OWN_THREADS, ownPage, ownThreadKey } from '../posts/own-posts.server.ts'
import { type Hiding, hidingOfThread, requireVisible } from '../posts/post-rules.server.ts'
import { pollKey, shownScore, voteKey } from '../votes/vote-counts.server.ts'
import { savedIds, savedState } from './saved-threads.server.ts'

const DAY_MINUTES = 1_440
const DAY = raw(String(DAY_MINUTES))
const RELATED = 5
const RELATED_SAMPLE = 40

/** Minutes since 1970 as ISO text. */
export const isoOf = (minute: Sql) =>
  sql`to_char(to_timestamp(${minute} * 60.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')`

/** A list's row, for a query of `threads thread`. */
export const rowColumns = sql`
  thread.id, thread.title, thread.excerpt, ${shownScore(sql`thread`)} as score, thread.comments,
  thread.is_locked as "isLocked", thread.is_pinned as "isPinned", thread.author_name as "authorName",
  thread.is_visitor as "isVisitor", ${isoOf(sql`thread.posted_minute`)} as "postedAt",
  (select coalesce(json_agg(json_build_object('slug', topic.slug, 'name', topic.name)
            order by topic.position), '[]')
     from topics topic where topic.slug = any (thread.topics)) as topics,
  (select json_build_object('id', company.id, 'name', company.name, 'slug', company.slug)
     from companies company where company.id = thread.company_id) as company,
  exists (select from polls where polls.thread_id = thread.id) as "hasPoll",
  ${badgeOfPost(sql`thread`)}`

export interface RawRow extends Omit<ThreadRow, 'path' | 'author' | 'badge' | 'company' | 'match'> {
  authorName: string
  isVisitor: boolean
  company: { id: string; name: string; slug: string | null } | null
  badge: RawBadge | null
}

/** @param match what a search found in the thread */
export function threadViewOf<Row extends RawRow>(
  { authorName, isVisitor, company, badge, ...row }: Row,
  match: ThreadRow['match'] = null,
) {
  return {
    ...row,
    path: threadPath(row),
    author: { name: authorName, isVisitor },
    badge: shownBadge(badge),
    company: company && { id: company.id, name: company.name, path: companyPath(company) },
    match,
  }
}

export const allTopics = ({ db }: Ctx) =>
  db.query<Topic>(sql`select slug, name from topics order by position`, PREPARED)

/** Conditions for threads that everyone can see. */
export async function companyTopics({ db }: Ctx, companyId: string): Promise<CompanyTopics> {
  const [counted] = await db.query<CompanyTopics>(
    sql`
    with latest as (
      select topics from threads where company_id = ${companyId} and hidden is null
       order by posted_minute desc, id desc limit ${atMost(TOPICS_COUNTED)})
    select (select count(*) from latest)::integer as threads,
           coalesce((
             select json_agg(json_build_object('slug', slug, 'name', name, 'threads', threads)
                      order by threads desc, position)
               from (select topic.slug, topic.name, topic.position, count(*) as threads
                       from latest join topics topic on topic.slug = any (latest.topics)
                      group by topic.slug) counted), '[]') as topics`,
    PREPARED,
  )
  return counted ?? { threads: 0, topics: [] }
}

export interface ThreadListQuery {
  sort: ThreadSort
  period: Period
  company?: string
  topic?: string
  verified?: 'yes'
  after?: string
  limit?: number
}

const newest = {
  column: sql`thread.posted_minute`,
  id: sql`thread.id`,
  cast: sql`integer`,
  form: /^\d{1,9}$/,
}

/** All orders are newest or highest first. */
export const ORDERS: Record<ThreadSort, Order> = {
  // `threads.hot` in 0065_baseline.sql: the score's logarithm, plus minutes / 750. So a thread that's twelve and a half
  // hours newer is as high as one with ten times the score.
  hot: {
    name: 'hot',
    column: sql`thread.hot`,
    id: sql`thread.id`,
    cast: sql`double precision`,
    form: /^-?\d{1,20}(\.\d{1,20})?(e[-+]?\d{1,2})?$/,
  },
  new: { ...newest, name: 'new' },
  top: {
    name: 'top',
    column: sql`thread.score`,
    id: sql`thread.id`,
    cast: sql`integer`,
    form: /^-?\d{1,9}$/,
  },
  unanswered: { ...newest, name: 'unanswered' },
}
const SAVED: Order = { ...newest, name: 'saved' }

/**
 * The hot list of all threads or a company's begins with its pinned threads.
 * @throws Refusal bad-request for another list's page marker
 */
export async function listThreads(ctx: Ctx, query: ThreadListQuery): Promise<ThreadsPage> {
  const hasPins = query.sort === 'hot' && !query.topic && !query.verified
  const pinnedHere = query.company
    ? sql`thread.is_pinned and thread.company_id = ${query.company}`
    : sql`thread.is_pinned and thread.company_id is null`
  const list = listOf(ctx, query)
  if (hasPins) list.conditions.push(sql`not (${pinnedHere})`)
  const page = await threadsPage(ctx, list, query)
  if (!hasPins || query.after !== undefined) return page
  const pinned = await ctx.db.query<RawRow>(
    sql`
    select ${rowColumns} from threads thread
     where ${pinnedHere} and thread.hidden is null
     order by thread.posted_minute desc, thread.id desc`,
    PREPARED,
  )
  return { ...page, pinned: pinned.map((row) => threadViewOf(row)) }
}

/** The hottest threads about some companies, from the top of each company's index. */
export async function hotThreadsAbout(ctx: Ctx, companyIds: string[], limit: number) {
  const rows = await ctx.db.query<RawRow>(sql`
    select ${rowColumns}
      from unnest(${companyIds}::uuid[]) as wanted(id)
      cross join lateral (
        select id, hot from threads about
         where about.company_id = wanted.id and about.hidden is null
         order by about.hot desc, about.id desc limit ${limit}) page
      join threads thread on thread.id = page.id
     order by page.hot desc, thread.id desc limit ${limit}`)
  return rows.map((row) => threadViewOf(row))
}

/** Conditions for queries of `threads thread`. Hidden threads never match. */
export function filtersOf(ctx: Ctx, query: ThreadListQuery): Sql[] {
  const begins = beginOf(ctx, query)
  return [
    ...kindOf(query),
    ...(begins === undefined ? [] : [sql`thread.posted_minute >= ${begins}`]),
  ]
}

function kindOf({ sort, company, topic, verified }: ThreadListQuery): Sql[] {
  return [
    sql`thread.hidden is null`,
    ...(sort === 'unanswered' ? [sql`not thread.is_answered`] : []),
    ...(company ? [sql`thread.company_id = ${company}`] : []),
    ...(verified
      ? [sql`thread.badge_domain is not null and ${isShown(sql`thread.badge_domain`)}`]
      : []),
    ...(topic ? [sql`thread.topics @> array[${topic}]::text[]`] : []),
  ]
}

const beginOf = ({ now }: Ctx, { sort, period }: ThreadListQuery) =>
  sort === 'top' && period !== 'all' ? minuteOf(now()) - PERIOD_MINUTES[period] : undefined

/** A scan would have to pass all older threads with higher scores, so up to a month we merge lists of single days. */
const MERGED_DAYS_MAX = 32

/** One condition per day of `top`'s period, or none if there are too many days. */
function daysOf(ctx: Ctx, query: ThreadListQuery): Sql[] | undefined {
  const begins = beginOf(ctx, query)
  // A company has few enough threads to scan by score.
  if (begins === undefined || query.company) return undefined
  const first = Math.floor(begins / DAY_MINUTES)
  const days = Math.floor(minuteOf(ctx.now()) / DAY_MINUTES) - first + 1
  if (days > MERGED_DAYS_MAX) return undefined
  const isOf = (day: number) => sql`thread.posted_minute / ${DAY} = ${day}`
  // Only the first day is partial. With a condition on every day, PostgreSQL would expect few rows.
  return Array.from({ length: days }, (_, n) =>
    n === 0 ? sql`${isOf(first)} and thread.posted_minute >= ${begins}` : isOf(first + n),
  )
}

/** A list to scan along an index. Callers may add conditions. */
export function listOf(ctx: Ctx, query: ThreadListQuery): ListedThreads {
  const days = daysOf(ctx, query)
  return {
    order: ORDERS[query.sort],
    conditions: days ? kindOf(query) : filtersOf(ctx, query),
    days,
    // PostgreSQL should look up a rare topic's threads and scan a common one's in order. The same goes for a company's
    // best threads of a week.
    isPrepared:
      !query.topic &&
      !query.verified &&
      (days !== undefined || !query.company || query.sort !== 'top'),
  }
}

interface ListedThreads {
  order: Order
  conditions: Sql[]
  isPrepared: boolean
  /** Parts we read side by side, each along its own part of an index. */
  days?: Sql[]
}

/** A query for the `id` of each thread and its `value` in the order, along an index. */
export function scanOf({ order: { column, id }, conditions, days }: ListedThreads): Sql {
  const walk = (conditions: Sql[]) => sql`
    select ${id}, ${column} as value from threads thread where ${join(conditions, ' and ')}
     order by ${column} desc, ${id} desc`
  if (!days) return walk(conditions)
  const walks = days.map((day) => sql`(${walk([...conditions, day])})`)
  return sql`
    select id, value from (${join(walks, ' union all ')}) days order by value desc, id desc`
}

async function threadsPage(
  ctx: Ctx,
  list: ListedThreads,
  { after, limit = THREADS_PAGE }: Pick<ThreadListQuery, 'after' | 'limit'>,
): Promise<ThreadsPage> {
  const order = list.order.name
  const conditions = [...list.conditions]
  if (after !== undefined) conditions.push(afterCursor(after, list.order))
  // Ids first, because the index can filter by its own columns without reading rows.
  const rows = await ctx.db.query<RawRow & { value: string }>(
    sql`
    select ${rowColumns}, page.value::text as value
      from (${scanOf({ ...list, conditions })} limit ${atMost(limit + 1)}) page
      join threads thread using (id)
     order by page.value desc, thread.id desc`,
    { isPrepared: list.isPrepared },
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    pinned: [],
    threads: shown.map(({ value: _, ...row }) => threadViewOf(row)),
    next:
      rows.length > limit && last ? writeCursor({ order, value: last.value, id: last.id }) : null,
  }
}

/** Two conditions, because no index supports `is not distinct from`. */
const newestNear = (isNear: Sql) => sql`
  (select near.id, near.title, near.comments, near.score from threads near
    where near.id <> thread.id and near.hidden is null and ${isNear}
    order by near.posted_minute desc, near.id desc limit ${atMost(RELATED_SAMPLE)})`

/** Whole days after its thread was posted, to the minute. */
const closingMinute = sql`
  (extract(epoch from poll.closes_on) / 60 + thread.posted_minute % 1440)::integer`
/** A condition for queries of `poll` and its `thread`. */
export const isPollClosed = ({ now }: Pick<Ctx, 'now'>) =>
  sql`${closingMinute} <= ${minuteOf(now())}::integer`

/** @throws Refusal not-found, also for one pending review; gone for one that was removed */
export async function threadById(ctx: Ctx, id: string): Promise<Thread> {
  const [row] = await ctx.db.query<
    RawRow &
      Hiding & {
        html: string
        isEdited: boolean
        lockNote: string | null
        slowMinutes: number | null
        closesAt: string | null
        isClosed: boolean | null
        options: { index: number; text: string; votes: number }[] | null
        companyReply: RawCompanyReply | null
        related: { id: string; title: string; comments: number }[]
      }
  >(
    sql`
    select ${rowColumns}, ${hidingOfThread}, thread.html, thread.is_edited as "isEdited",
           thread.lock_note as "lockNote", thread.slow_minutes as "slowMinutes",
           ${isoOf(closingMinute)} as "closesAt", ${isPollClosed(ctx)} as "isClosed",
           (select json_agg(json_build_object('index', place, 'text', text, 'votes', votes)
                     order by place)
              from poll_options where thread_id = thread.id) as options,
           ${replyToThread} as "companyReply",
           (select coalesce(json_agg(other), '[]') from (
              select id, title, comments from (
                ${newestNear(sql`near.company_id = thread.company_id`)}
                union all
                ${newestNear(sql`thread.company_id is null and near.company_id is null`)}
              ) sample order by score desc, comments desc, id limit ${atMost(RELATED)}) other) as related
      from threads thread left join polls poll on poll.thread_id = thread.id
     where thread.id = ${id}`,
    PREPARED,
  )
  const { hidden: _, hiddenReason: __, ...shown } = requireVisible(row)
  const { closesAt, isClosed, options, companyReply, related, ...thread } = shown
  return {
    ...threadViewOf(thread),
    companyReply: companyReplyOf(companyReply),
    poll: closesAt
      ? {
          closesAt,
          isClosed: isClosed === true,
          results: (options ?? []).map(({ votes }) => votes),
          votes: (options ?? []).reduce((sum, option) => sum + option.votes, 0),
          options: (options ?? []).map(({ index, text }) => ({ index, text })),
        }
      : null,
    related: related.map((other) => ({ ...other, path: threadPath(other) })),
  }
}

/** The caller's own part of a thread. @throws Refusal not-found, held, gone */
export async function myThread(ctx: Ctx, id: string): Promise<MyThread> {
  const key = ownThreadKey(ctx, id)
  const root = rootOf(ctx)
  const asVoter = root && voteKey(root, id)
  const { isSaved, isMuted } = savedState(ctx, id)
  const [row] = await ctx.db.query<
    Hiding & {
      isMine: boolean
      isLocked: boolean
      name: string | null
      vote: -1 | 0 | 1
      isSaved: boolean
      isMuted: boolean
      pollChoice: number | null
      results: number[] | null
      comments: string[]
      hiddenBadges: string[]
      votes: Record<string, -1 | 1>
    }
  >(
    sql`
    select ${hidingOfThread}, thread.key = ${key} as "isMine", thread.is_locked as "isLocked",
           (select name from thread_names where key = ${key}) as name,
           coalesce((select value from votes where subject_id = thread.id and key = ${asVoter}), 0)
             as vote,
           ${isSaved} as "isSaved", ${isMuted} as "isMuted",
           (select place from poll_votes where key = ${root && pollKey(root, id)}) as "pollChoice",
           (select json_agg(votes order by place) from poll_options where thread_id = thread.id)
             as results,
           (select coalesce(json_agg(id), '[]') from comments
             where thread_id = thread.id and key = ${key} and not is_deleted) as comments,
           (select coalesce(json_agg(id), '[]') from (
              select thread.id, thread.badge_domain where thread.key = ${key}
              union all
              select id, badge_domain from comments
               where thread_id = thread.id and key = ${key} and not is_deleted) mine
             where badge_domain is not null and not ${isShown(sql`badge_domain`)}) as "hiddenBadges",
           (select coalesce(json_object_agg(subject_id, value), '{}') from votes
             where key = ${asVoter} and subject_id <> thread.id) as votes
      from threads thread where thread.id = ${id}`,
    PREPARED,
  )
  const { hidden: _, hiddenReason: __, isLocked, results, ...mine } = requireVisible(row)
  const isMine = mine.isMine === true
  return {
    ...mine,
    isMine,
    needsSpamCheck: isUntrusted(ctx.actor),
    pollResults: results,
    can: {
      comment: canComment({ isLocked }, may.beginWriting(ctx.actor)),
      edit: may.editPost({ isMine }) && !isLocked,
      delete: may.deleteThread(ctx.actor, { isMine }),
      moderate: may.moderate(ctx.actor),
    },
  }
}

/** The person's votes in a list of threads. @param ids anything that looks like ids */
export async function myThreadVotes(ctx: Ctx, ids: string[]) {
  const root = rootOf(ctx)
  const threads = ids.filter(isUuid)
  if (!root || threads.length === 0) return { votes: {}, own: [] }
  const rows = await ctx.db.query<{ id: string; isMine: boolean; vote: -1 | 1 | null }>(
    sql`
    select thread.id, thread.key = listed.own as "isMine", vote.value as vote
      from unnest(${threads}::uuid[], ${threads.map((id) => ownThreadKey(ctx, id))}::bytea[],
                  ${threads.map((id) => voteKey(root, id))}::bytea[]) listed(id, own, voter)
      join threads thread on thread.id = listed.id
      left join votes vote on vote.subject_id = listed.id and vote.key = listed.voter`,
    PREPARED,
  )
  return {
    votes: Object.fromEntries(rows.flatMap(({ id, vote }) => (vote ? [[id, vote]] : []))),
    own: rows.flatMap(({ id, isMine }) => (isMine ? [id] : [])),
  }
}

/** A thread's source, for its author. @throws Refusal not-found, also for anyone else's */
export async function threadSource(ctx: Ctx, id: string) {
  const [thread] = await ctx.db.query<{ title: string; body: string; topics: string[] }>(sql`
    select title, body, topics from threads
     where id = ${id} and key = ${ownThreadKey(ctx, id)}`)
  if (!thread) throw notFound(POST_REFUSALS.noThread)
  return thread
}

/** The caller's threads, newest first, without hidden ones. */
export async function myThreads(ctx: Ctx, after?: string): Promise<ThreadsPage> {
  const { rows, next } = await ownPage<RawRow & { number: number }>(
    ctx,
    OWN_THREADS,
    after,
    (own, newest) => sql`
      select ${rowColumns}, own.number from ${own} own join threads thread using (own_row_key)
       where thread.hidden is null ${newest}`,
  )
  return { pinned: [], threads: rows.map((row) => threadViewOf(row)), next }
}

export const mySavedThreads = (ctx: Ctx, after?: string) =>
  threadsPage(
    ctx,
    {
      order: SAVED,
      conditions: [sql`thread.id in ${savedIds(ctx)}`, sql`thread.hidden is null`],
      isPrepared: false,
    },
    { after },
  )

/** Ids of threads that show badges of these domains, on themselves or on their comments. */
export async function threadsWithBadges(db: Database, domains: string[]) {
  const threads = await db.query<{ id: string }>(sql`
    select id from threads where badge_domain = any (${domains}::text[])
    union
    select thread_id from comments where badge_domain = any (${domains}::text[])`)
  return threads.map(({ id }) => id)
}
