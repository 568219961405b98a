/**
 * Finds posts, newest first: words → threads. The indexes of words hold in which day, week and quarter a
 * post was written (`post_windows`); we ask window after window until there are enough, so no word is too
 * common and none too rare. D44.
 */
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { minuteOf } from '../../reports/report.ts'
import type { SearchSort } from '../discussion.ts'
import { listOf, scanOf, type ThreadListQuery } from '../threads/thread-queries.server.ts'
import { shownComment } from './search-excerpt.server.ts'

export interface ThreadSearch extends Omit<ThreadListQuery, 'sort'> {
  search: string
  sort: SearchSort
}

/** What is searched for, as tsqueries. */
export interface SearchedWords {
  exact: Sql
  /** What an index can tell: the words of a phrase, in any order. */
  loose: Sql
  hasPhrase: boolean
}

/** Threads that a search finds, and counts. */
export const FOUND_MAX = 1_000
/** Posts with all words of a phrase are read to see whether these stand together; so many at most. */
const READ_FOR_PHRASE = 3_000
/** Of a company or a topic, where a word is too common to look at all comments that say it. */
const NEWEST_THREADS = 500

const DAY = 1_440
const WEEK = 7 * DAY
const QUARTER = 13 * WEEK

/** As `post_windows` has them: those before `to`, newest first, back to that of `from`. */
const windowsOf = (minutes: number, kind: number, from: number, to: number) =>
  Array.from(
    { length: Math.max(0, Math.floor(to / minutes) - Math.floor(from / minutes)) },
    (_, n) => (Math.floor(to / minutes) - 1 - n) * 4 + kind,
  )

/** Today, and tomorrow where another process's clock is ahead. */
const FIRST_WINDOWS = 2
/** Then so many at once, and twice as many each time: each time all that is pending in the index is read. */
const NEXT_WINDOWS = 6

/**
 * All windows back to the first thread, newest first, in groups, none within another: days of this week and
 * the one before, weeks of this quarter and the one before, quarters.
 */
export async function allWindows(ctx: Ctx): Promise<number[][]> {
  const now = minuteOf(ctx.now())
  const [{ oldest } = { oldest: now }] = await ctx.db.query<{ oldest: number }>(sql`
    select coalesce(min(posted_minute), ${now}::integer) as oldest from threads where hidden is null`)
  const week = (Math.floor(now / WEEK) - 1) * WEEK
  const quarter = (Math.floor(now / QUARTER) - 1) * QUARTER
  const windows = [
    ...windowsOf(DAY, 0, week, now + 2 * DAY),
    ...windowsOf(WEEK, 1, quarter, week),
    ...windowsOf(QUARTER, 2, oldest, quarter),
  ]
  const groups = [windows.slice(0, FIRST_WINDOWS)]
  for (let at = FIRST_WINDOWS, many = NEXT_WINDOWS; at < windows.length; at += many, many *= 2)
    groups.push(windows.slice(at, at + many))
  return groups
}

export interface Walk {
  windows: number[][]
  /** It ends there. */
  most: number
}

/**
 * The `id` of each thing found, and how often it was `said`: of the rows of `matching`, which `fits`. The
 * nested loop hands its rows on as it meets them, so it ends where there are enough. "offset 0":
 * PostgreSQL shall find the words first, and not go back in time until enough posts have them.
 */
export const walkThrough = ({ windows, most }: Walk, matching: Sql) => sql`
  select near.id, near.said
    from (select windows
            from (values ${join(windows.map((group, nth) => sql`(${nth}::integer, ${group}::integer[])`))})
                 step(nth, windows) order by nth) step
   cross join lateral (
     select id, count(*) filter (where fits)::integer as said from (${matching} offset 0) matching
      group by id order by max(posted_minute) desc limit ${most}) near
   limit ${most}`

/**
 * Up to FOUND_MAX threads by their own words, and as many by their comments'; `isAll` where there are no
 * more. By id it is said how many comments were found.
 */
export async function findThreads(ctx: Ctx, words: SearchedWords, query: ThreadSearch) {
  const most = (words.hasPhrase ? READ_FOR_PHRASE : FOUND_MAX) + 1
  const walk = { windows: await allWindows(ctx), most }
  const find = (found: Sql) => ctx.db.query<{ id: string; said: number }>(found)
  const own = await find(threadsSaying(words, query, walk))
  // Nobody has commented on what is unanswered.
  const commented = query.sort === 'unanswered' ? [] : await find(commentsSaying(words, walk))
  const comments = new Map<string, number>()
  for (const { id, said } of own) if (said > 0) comments.set(id, 0)
  for (const { id, said } of commented)
    if (said > 0) comments.set(id, (comments.get(id) ?? 0) + said)
  if (commented.length === most && (query.company || query.topic))
    for (const { id, said } of await find(commentsOfNewest(ctx, words, query)))
      comments.set(id, said)
  return { comments, isAll: own.length < most && commented.length < most }
}

const fits = ({ exact, hasPhrase }: SearchedWords) =>
  hasPhrase ? sql`search @@ ${exact}` : sql`true`

function threadsSaying(words: SearchedWords, { company, topic, sort }: ThreadSearch, walk: Walk) {
  const facets = sql`thread_facets(posted_minute, company_id, topics)`
  const about = [company, topic]
    .filter((facet) => facet !== undefined)
    .map((facet) => sql`and ${facets} @> array[facet_key(${facet}::text)]`)
  return walkThrough(
    walk,
    sql`
      select id, posted_minute, ${fits(words)} as fits from threads
       where ${facets} && step.windows and search @@ ${words.loose} and hidden is null
             ${join([empty, ...about], ' ')}
             ${sort === 'unanswered' ? sql`and not is_answered` : empty}`,
  )
}

const commentsSaying = (words: SearchedWords, walk: Walk) =>
  walkThrough(
    walk,
    sql`
      select thread_id as id, posted_minute, ${fits(words)} as fits from comments comment
       where post_windows(posted_minute) && step.windows and search @@ ${words.loose}
             and ${shownComment}`,
  )

/** "is true": PostgreSQL shall read these comments, and not look up the words for each thread. */
const commentsOfNewest = (
  ctx: Ctx,
  { exact }: SearchedWords,
  { company, topic }: ThreadSearch,
) => sql`
  select thread.id, count(*)::integer as said
    from (${scanOf(listOf(ctx, { sort: 'new', period: 'all', company, topic }))}
          limit ${NEWEST_THREADS}) thread
    join comments comment on comment.thread_id = thread.id
   where (comment.search @@ ${exact}) is true and ${shownComment}
   group by thread.id`
