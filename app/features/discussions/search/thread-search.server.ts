/**
 * Finds threads by words of their titles, texts and comments, in the order of a list, however many
 * there are. No way is quick for all words; the planner's statistics say how common they are.
 *
 * - Common words are walked to, along the list's index, until the page is full. A walk ends after so
 *   many threads, with a shorter page, where the next one goes on.
 * - Rare words are looked up in all time.
 * - Of words in between, the matches of a window of time are looked up. By time (hot, new,
 *   unanswered) it widens until the page is full: exact, as far as the newest hundreds of matches
 *   reach. The top ones are those of the newest matches.
 * - Where no word is found, titles are that are spelt alike: of the next threads of the list, then
 *   some of all time, but for very large sites.
 */
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Ctx } from '../../../auth/context.server.ts'
import { transaction } from '../../../server/context.server.ts'
import { isDatabaseError } from '../../../server/database.server.ts'
import { readCursor, writeCursor } from '../../../server/keyset.server.ts'
import { badRequest } from '../../../server/refusal.ts'
import { SEARCH_TIMEOUT } from '../../../server/searches.server.ts'
import { minuteOf } from '../../reports/report.ts'
import type { ThreadsPage } from '../discussion.contract.ts'
import { PERIOD_MINUTES, THREADS_PAGE } from '../discussion.ts'
import {
  filtersOf,
  listOf,
  type RawRow,
  rowColumns,
  SORTED,
  scanOf,
  type ThreadListQuery,
  viewOf,
} from '../threads/thread-queries.server.ts'
import { matchesOf, shownComment } from './search-excerpt.server.ts'

export interface ThreadSearch extends ThreadListQuery {
  search: string
}

const SEARCH_MAX = 200
/** Shorter texts are alike to nearly everything. */
const ALIKE_MIN = 4
/** Of the trigrams of both; another letter in a word of nine leaves 0.54. */
const ALIKE_SHARE = 0.5

/** Matches in threads, and as many in comments, that are looked up for a page at most: the newest. */
const LOOKED_UP_MAX = 300
/** Matches that a window should hold: several may be in one thread. */
const WINDOW_MATCHES = 80
/** A window that was too small grows by what it lacked and half as much again. */
const WINDOW_MARGIN = 1.5
const WINDOW_GROWTH_MAX = 8
/** Of the hot list: ten times the score is worth so much, and a score of a million that much. */
const HOT_MINUTES = 750
const HOT_SLACK = 6 * HOT_MINUTES
/** Threads that one page's walk passes at most. */
const SCANNED_MAX = 600
/** The same for titles that are spelt alike, and how many of those are looked up. */
const ALIKE_WALKED_MAX = 1_500
const ALIKE_MAX = 100
/** Among more threads than these only the walk is made: the index of trigrams takes too long. */
const ALIKE_THREADS_MAX = 200_000

/**
 * A page of the threads that hold the words, by keyset; `match` says where. A text without words
 * finds nothing.
 * @throws Refusal bad-request for a page marker that is none of this search's
 */
export const searchThreads = (ctx: Ctx, query: ThreadSearch): Promise<ThreadsPage> =>
  transaction(ctx, async (ctx) => {
    // However common the words, no plan reads a whole table; and what an index finds is kept exact,
    // where the usual few megabytes would make it read page after page.
    await ctx.db.query(
      sql`
      select set_config('enable_seqscan', 'off', true), set_config('work_mem', '32MB', true),
             set_config('pg_trgm.word_similarity_threshold', ${String(ALIKE_SHARE)}, true),
             set_config('statement_timeout', ${SEARCH_TIMEOUT}, true)`,
    )
    const text = query.search.replaceAll('\0', ' ').slice(0, SEARCH_MAX).trim()
    const search: Search = { text, words: sql`websearch_to_tsquery('english', ${text})`, query }
    const start = startOf(ctx, query)
    if (!(await hasWords(ctx, search))) return EMPTY
    if (start.way !== 'alike') {
      const page = await wordsPage(ctx, search, start)
      if (page.threads.length > 0 || page.next || query.after !== undefined) return page
    }
    return alikePage(ctx, search, start.beyond)
  })

const EMPTY: ThreadsPage = { pinned: [], threads: [], next: null }

interface Search {
  text: string
  /** As a tsquery. */
  words: Sql
  query: ThreadSearch
}

const WAYS = ['words', 'alike'] as const
type Way = (typeof WAYS)[number]

/** Where a page begins, behind the last thread of the one before. */
interface Start {
  way: Way
  beyond?: Sql
  /** No thread of the page is younger, in an order by time. */
  minute: number
}

/** @throws Refusal bad-request */
function startOf({ now }: Ctx, { sort, after }: ThreadSearch): Start {
  const minute = minuteOf(now())
  if (after === undefined) return { way: 'words', minute }
  const { column, cast, form } = SORTED[sort]
  for (const way of WAYS) {
    const cursor = readCursor(after, `${way} ${sort}`, form)
    if (!cursor) continue
    const beyond = sql`(${column}, thread.id) < (${cursor.value}::${cast}, ${cursor.id}::uuid)`
    if (sort === 'top') return { way, beyond, minute }
    const value = Number(cursor.value)
    return { way, beyond, minute: sort === 'hot' ? value * HOT_MINUTES + HOT_SLACK : value }
  }
  throw badRequest('This page marker does not belong to this list')
}

/** False as well for what PostgreSQL cannot read, such as a hundred dashes in a row. */
async function hasWords(ctx: Ctx, { words }: Search) {
  try {
    const [parsed] = await transaction(ctx, ({ db }) =>
      db.query<{ nodes: number }>(sql`select numnode(${words}) as nodes`),
    )
    return parsed !== undefined && parsed.nodes > 0
  } catch (error) {
    if (isDatabaseError(error, INTERNAL_ERROR)) return false
    throw error
  }
}

/** How `websearch_to_tsquery` says that there are too many signs. */
const INTERNAL_ERROR = 'XX000'

/** The order's value as PostgreSQL prints it, and the id: enough for a page marker. */
interface End {
  value: string
  id: string
}
type Found = RawRow & End

async function wordsPage(ctx: Ctx, search: Search, start: Start): Promise<ThreadsPage> {
  const { words, query } = search
  const { beyond } = start
  const outlook = await outlookOf(ctx, search)
  const isRare = outlook.matches <= LOOKED_UP_MAX
  const isWalked = !isRare && (query.company !== undefined || isScanShort(outlook))
  if (isWalked) {
    // "is true" and "offset 0": PostgreSQL shall look at each thread's comments, and not look up the
    // words for each thread, or for all at once.
    const matches = sql`
      thread.search @@ ${words} or thread.is_answered and exists (
        select from comments comment
         where comment.thread_id = thread.id and (comment.search @@ ${words}) is true
           and ${shownComment} offset 0)`
    const { rows, end } = await walk(ctx, search, beyond, { matches, most: SCANNED_MAX })
    // Words that are common each, but hardly together: the indexes know better.
    if (rows.length > 0 || !end) return pageOf(ctx, search, 'words', rows, end)
  }
  if (isWalked || query.sort === 'top')
    return pageOf(ctx, search, 'words', (await someMatches(ctx, search, beyond, outlook)).rows)
  const wanted = outlook.hasPhrase ? WINDOW_MATCHES * WINDOW_GROWTH_MAX : WINDOW_MATCHES
  let width = isRare ? Infinity : (outlook.minutes * wanted) / outlook.matches
  for (;;) {
    const since = Math.floor(start.minute - width)
    const isWhole = since <= outlook.oldest
    const { rows, isCut } = await newestMatches(ctx, search, start, isWhole ? undefined : since)
    if (rows.length > THREADS_PAGE || isWhole || isCut) return pageOf(ctx, search, 'words', rows)
    width *= Math.min(
      WINDOW_GROWTH_MAX,
      (WINDOW_MARGIN * (THREADS_PAGE + 1)) / Math.max(1, rows.length),
    )
  }
}

/** Those of the window; without one, those of all time. */
function newestMatches(ctx: Ctx, search: Search, { beyond }: Start, since: number | undefined) {
  if (since === undefined) return lookUp(ctx, search, beyond, 0)
  if (search.query.sort !== 'hot') return lookUp(ctx, search, beyond, since)
  // A thread that is older than the window may be hotter than one of it, and not the other way round.
  const hotter = sql`thread.hot >= ${since / HOT_MINUTES}::double precision`
  const within = beyond ? sql`${hotter} and ${beyond}` : hotter
  return lookUp(ctx, search, within, since - HOT_SLACK)
}

/** Of the newest matches in the period, as many as can be looked up. */
function someMatches(ctx: Ctx, search: Search, beyond: Sql | undefined, outlook: Outlook) {
  const { sort, period } = search.query
  const now = minuteOf(ctx.now())
  const begins = sort !== 'top' || period === 'all' ? outlook.oldest : now - PERIOD_MINUTES[period]
  const within = (outlook.minutes * LOOKED_UP_MAX) / Math.max(1, outlook.matches)
  return lookUp(ctx, search, beyond, Math.max(begins, Math.floor(now - within)))
}

interface LookedUp {
  rows: Found[]
  /** There are more matches since that minute than are looked up: looking further back finds none. */
  isCut: boolean
}

/** The first of the list among the newest threads that match, or whose comments do, since a minute. */
async function lookUp(
  ctx: Ctx,
  search: Search,
  beyond: Sql | undefined,
  since: number,
): Promise<LookedUp> {
  const [found] = await ctx.db.query<{ threads: string[]; commented: string[] }>(
    matchesSince(search, since),
  )
  const { threads = [], commented = [] } = found ?? {}
  return {
    rows: await firstOf(ctx, search, beyond, [...threads, ...commented]),
    isCut: threads.length === LOOKED_UP_MAX || commented.length === LOOKED_UP_MAX,
  }
}

/**
 * Ids of threads. A comment is never older than its thread; unanswered threads have none. "offset 0":
 * PostgreSQL shall find the words first, and not walk through time until enough threads have them.
 */
function matchesSince({ words, query }: Search, minute: number) {
  const isUnanswered = query.sort === 'unanswered'
  const newest = (matching: Sql) => sql`
    array(select id from (${matching} offset 0) matching
           order by posted_minute desc limit ${LOOKED_UP_MAX})`
  const threads = newest(sql`
    select id, posted_minute from threads
     where search @@ ${words} and posted_minute >= ${minute} and hidden is null
           ${isUnanswered ? sql`and not is_answered` : empty}`)
  const commented = newest(sql`
    select comment.thread_id as id, comment.posted_minute from comments comment
     where comment.search @@ ${words} and comment.posted_minute >= ${minute} and ${shownComment}`)
  return sql`
    select ${threads} as threads, ${isUnanswered ? sql`'{}'::uuid[]` : commented} as commented`
}

interface Outlook {
  /** Of threads and comments, as the planner expects: to it a phrase is its words in any order. */
  matches: number
  hasPhrase: boolean
  threads: number
  /** The first thread's minute, and how many have passed since. */
  oldest: number
  minutes: number
}

/** Without statistics a database is small or new: there every word is rare. */
async function outlookOf(ctx: Ctx, { words }: Search): Promise<Outlook> {
  const [table] = await ctx.db.query<{
    threads: number
    oldest: number | null
    hasPhrase: boolean
  }>(sql`
    select reltuples as threads, (select min(posted_minute) from threads where hidden is null) as oldest,
           (${words})::text like '%<%' as "hasPhrase"
      from pg_class where oid = 'threads'::regclass`)
  const [plan] = await ctx.db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(sql`
    explain (format json)
      select from threads where search @@ ${words}
      union all select from comments where search @@ ${words}`)
  const now = minuteOf(ctx.now())
  const oldest = table?.oldest ?? now
  const threads = Math.max(0, table?.threads ?? 0)
  const matches = threads > 0 ? (plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0) : 0
  const hasPhrase = table?.hasPhrase ?? false
  return { matches, hasPhrase, threads, oldest, minutes: Math.max(1, now - oldest) }
}

/** A walk passes THREADS_PAGE × threads ÷ matches of them. */
const isScanShort = ({ matches, threads }: Outlook) =>
  matches * SCANNED_MAX > THREADS_PAGE * threads

/** What is spelt like a common word is soon met as well. */
async function alikePage(ctx: Ctx, search: Search, beyond?: Sql): Promise<ThreadsPage> {
  const { text } = search
  if (text.length < ALIKE_MIN) return EMPTY
  const matches = sql`${text} <% thread.title`
  const { rows, end } = await walk(ctx, search, beyond, { matches, most: ALIKE_WALKED_MAX })
  if (rows.length > THREADS_PAGE || !end) return pageOf(ctx, search, 'alike', rows)
  const [table] = await ctx.db.query<{ threads: number }>(
    sql`select reltuples as threads from pg_class where oid = 'threads'::regclass`,
  )
  if ((table?.threads ?? 0) > ALIKE_THREADS_MAX)
    return rows.length > 0 ? pageOf(ctx, search, 'alike', rows, end) : EMPTY
  const alike = await ctx.db.query<{ id: string }>(
    sql`select id from threads where ${text} <% title limit ${ALIKE_MAX}`,
  )
  const ids = alike.map(({ id }) => id)
  return pageOf(ctx, search, 'alike', await firstOf(ctx, search, beyond, ids))
}

/**
 * The first that match among the next `most` threads of the list; `end` is the last of these where
 * the page is not full and the list goes on. Each level says the order that it has already, so that
 * PostgreSQL stops at a full page; the last of `most` comes even if it does not match.
 */
async function walk(
  ctx: Ctx,
  search: Search,
  beyond: Sql | undefined,
  { matches, most }: { matches: Sql; most: number },
): Promise<{ rows: Found[]; end?: End }> {
  const list = listOf(ctx, search.query)
  if (beyond) list.conditions.push(beyond)
  const found = await ctx.db.query<Found & { isEnd: boolean; isMatch: boolean }>(sql`
    select ${rowColumns}, thread.value::text as value, thread.at = ${most} as "isEnd",
           case when thread.at = ${most} then (${matches}) else true end as "isMatch"
      from (select thread.*, walked.value, walked.at
              from (select id, value, row_number() over (order by value desc, id desc) as at
                      from (${scanOf(list)} limit ${most}) walked
                     order by value desc, id desc) walked
              join threads thread using (id)
             order by walked.value desc, walked.id desc offset 0) thread
     where (${matches}) or thread.at = ${most}
     order by thread.value desc, thread.id desc limit ${THREADS_PAGE + 1}`)
  const rows = found.flatMap(({ isMatch, isEnd: _, ...row }) => (isMatch ? [row] : []))
  return { rows, end: rows.length > THREADS_PAGE ? undefined : found.find(({ isEnd }) => isEnd) }
}

/** The first of the list among threads that were found. */
function firstOf(ctx: Ctx, search: Search, beyond: Sql | undefined, ids: string[]) {
  const { column } = SORTED[search.query.sort]
  return ctx.db.query<Found>(sql`
    select ${rowColumns}, ${column}::text as value
      from threads thread
     where thread.id = any (${ids}::uuid[])
       and ${join([...filtersOf(ctx, search.query), ...(beyond ? [beyond] : [])], ' and ')}
     order by ${column} desc, thread.id desc limit ${THREADS_PAGE + 1}`)
}

/** @param end where the next page begins when this one is not full */
async function pageOf(
  ctx: Ctx,
  { words, query }: Search,
  way: Way,
  rows: Found[],
  end?: End,
): Promise<ThreadsPage> {
  const shown = rows.slice(0, THREADS_PAGE)
  const last = rows.length > THREADS_PAGE ? shown.at(-1) : end
  const ids = shown.map(({ id }) => id)
  const matches = await matchesOf(ctx, words, ids)
  return {
    pinned: [],
    threads: shown.map(({ value: _, ...row }) => viewOf(row, matches.get(row.id) ?? null)),
    next: last
      ? writeCursor({ order: `${way} ${query.sort}`, value: last.value, id: last.id })
      : null,
  }
}
