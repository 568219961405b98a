/**
 * Finds threads by words, newest first. The indexes know in which day, week and quarter a post was written
 * (`post_windows`). We
 * query window after window until there are enough, so no word is too common and none too rare. D44.
 */
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { cutText } from '#app/kit/writing/text.ts'
import { minuteOf } from '#app/platform/days.server.ts'
import type { ThreadRow } from '../discussion.contract.ts'
import type { SearchSort } from '../discussion.ts'
import { listOf, scanOf, type ThreadListQuery } from '../threads/thread-queries.server.ts'

export interface ThreadSearch extends Omit<ThreadListQuery, 'sort'> {
  search: string
  sort: SearchSort
}

/** A search, as tsqueries. */
export interface SearchedWords {
  exact: Sql
  /** The same search, as text. */
  query: string
  /** What an index can find: a phrase's words, in any order. */
  loose: Sql
  hasPhrase: boolean
}

export const FOUND_MAX = 1_000
/** How many posts with all words of a phrase we read to see whether the words are together. */
const READ_FOR_PHRASE = 3_000
/** How many of a company's or topic's threads we read if a word is too common to read all comments with it. */
const NEWEST_THREADS = 500

const DAY = 1_440
const WEEK = 7 * DAY
const QUARTER = 13 * WEEK

/** The windows that `post_windows` makes: before `to`, newest first, back to that of `from`. */
const windowsOf = (minutes: number, kind: number, from: number, to: number) =>
  Array.from(
    { length: Math.max(0, Math.floor(to / minutes) - Math.floor(from / minutes)) },
    (_, n) => (Math.floor(to / minutes) - 1 - n) * 4 + kind,
  )

/** Today, and tomorrow in case another process's clock is ahead. */
const FIRST_WINDOWS = 2
/**
 * After the first windows, we query this many at once, and double the number each time, because each query reads
 * everything that's pending in the index.
 */
const NEXT_WINDOWS = 6

/**
 * All windows back to the first thread, newest first, in groups that don't overlap: days of this and last week, weeks
 * of this
 * and last quarter, quarters.
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

export interface Scan {
  windows: number[][]
  /** Stops after this many matches. */
  max: number
}

/**
 * The `id` of each match, and how many of its rows in `matching` fit (`said`). The nested loop returns rows as it
 * finds them, so it stops early. "offset 0" makes PostgreSQL find the words first, rather than scan back in time.
 */
export const scanWindows = ({ windows, max }: Scan, matching: Sql) => sql`
  select near.id, near.said
    from (select windows
            from (values ${join(windows.map((group, nth) => sql`(${nth}::integer, ${group}::integer[])`))})
                 step(nth, windows) order by nth) step
   cross join lateral (
     select id, count(*) filter (where fits)::integer as said from (${matching} offset 0) matching
      group by id order by max(posted_minute) desc limit ${max}) near
   limit ${max}`

/**
 * Up to FOUND_MAX threads by their own text, and as many by their comments. `isAll` if there are no more. The map
 * has the number of matching comments by thread id.
 */
export async function findThreads(ctx: Ctx, words: SearchedWords, query: ThreadSearch) {
  const max = (words.hasPhrase ? READ_FOR_PHRASE : FOUND_MAX) + 1
  const scan = { windows: await allWindows(ctx), max }
  const find = (found: Sql) => ctx.db.query<{ id: string; said: number }>(found)
  const own = await find(threadsSaying(words, query, scan))
  // An unanswered thread has no comments.
  const commented = query.sort === 'unanswered' ? [] : await find(commentsSaying(words, scan))
  const comments = new Map<string, number>()
  for (const { id, said } of own) if (said > 0) comments.set(id, 0)
  for (const { id, said } of commented)
    if (said > 0) comments.set(id, (comments.get(id) ?? 0) + said)
  if (commented.length === max && (query.company || query.topic))
    for (const { id, said } of await find(commentsOfNewest(ctx, words, query)))
      comments.set(id, said)
  return { comments, isAll: own.length < max && commented.length < max }
}

const fits = ({ exact, hasPhrase }: SearchedWords) =>
  hasPhrase ? sql`search @@ ${exact}` : sql`true`

function threadsSaying(words: SearchedWords, { company, topic, sort }: ThreadSearch, scan: Scan) {
  const facets = sql`thread_facets(posted_minute, company_id, topics)`
  const about = [company, topic]
    .filter((facet) => facet !== undefined)
    .map((facet) => sql`and ${facets} @> array[facet_key(${facet}::text)]`)
  return scanWindows(
    scan,
    sql`
      select id, posted_minute, ${fits(words)} as fits from threads
       where ${facets} && step.windows and search @@ ${words.loose} and hidden is null
             ${join([empty, ...about], ' ')}
             ${sort === 'unanswered' ? sql`and not is_answered` : empty}`,
  )
}

const commentsSaying = (words: SearchedWords, scan: Scan) =>
  scanWindows(
    scan,
    sql`
      select thread_id as id, posted_minute, ${fits(words)} as fits from comments comment
       where post_windows(posted_minute) && step.windows and search @@ ${words.loose}
             and ${shownComment}`,
  )

/** "is true" makes PostgreSQL read these comments, rather than look up the words for each thread. */
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

/** We don't quote or find hidden and deleted comments. */
export const shownComment = sql`comment.hidden is null and not comment.is_deleted`

const EXCERPT_WORDS = 34
/** Words can be long, and some texts have none. */
const EXCERPT_MAX = 260

/** Private-use characters. We remove them from texts first, so no one can type a mark. */
const START = '\ue000'
const STOP = '\ue001'
/** Replaces "<", because an excerpt would drop anything that looks like a tag. */
const LESS = '\ue002'
const SIGNS: Record<string, string> = { [LESS]: '<', ᐩ: '+', ⵌ: '#', ꓸ: '.' }
const PRIVATE = START + STOP + LESS
const marks = `StartSel=${START}, StopSel=${STOP}`
const WHOLE = `${marks}, HighlightAll=true`
const CUT = `${marks}, MaxWords=${EXCERPT_WORDS}, MinWords=${EXCERPT_WORDS - 10}, ShortWord=0`

/** The text of a post's HTML. Here, `<` always starts one of the renderer's tags. A typed `<` is `&lt;`. */
const plainText = (html: Sql) => sql`
  replace(replace(replace(replace(
    regexp_replace(
      regexp_replace(translate(${html}, ${PRIVATE}, ''),
                     '</?(a|em|strong|del|code)( [^>]*)?>', '', 'g'),
      '(<[^>]*>|\\s)+', ' ', 'g'),
    '&lt;', ${LESS}), '&gt;', '>'), '&quot;', '"'), '&amp;', '&')`

/** The text as written, or folded if only that shows what was found (Arabic marks, wide letters). */
const marked = (text: Sql, words: Sql, options: string) => sql`(
  select case when headline like ${`%${START}%`} or words_folded(${text}) = ${text} then headline
              else ts_headline('every_word', words_apart(words_folded(${text})), ${words}, ${options}) end
    from ts_headline('every_word', words_apart(${text}), ${words}, ${options}) headline)`

/** Matches by thread: its title, and its text or the comment that fits best. @param query a tsquery */
export async function matchesOf(ctx: Ctx, query: string, ids: string[]) {
  const terms = sql`${query}::tsquery`
  const runs = runsOf(query)
  if (ids.length === 0) return new Map<string, NonNullable<ThreadRow['match']>>()
  type Found = Record<'id' | 'title' | 'text' | 'plain' | 'folded', string> & { isComment: boolean }
  const rows = await ctx.db.query<Found>(sql`
    select id, plain, words_folded(plain) as folded, "isComment", ${marked(sql`title`, terms, WHOLE)} as title,
           ${marked(sql`plain`, terms, CUT)} as text
      from (
        select thread.id, normalize(translate(thread.title, ${`<${PRIVATE}`}, ${LESS})) as title,
               comment.html is not null as "isComment",
               normalize(btrim(${plainText(sql`coalesce(comment.html, thread.html)`)})) as plain
          from threads thread
          left join lateral (
            select html from comments comment
             where comment.thread_id = thread.id and ${shownComment}
               -- "is true": PostgreSQL shall not look up the words for each thread.
               and (comment.search @@ ${terms}) is true
             order by ts_rank(comment.search, ${terms}) desc, comment.score desc, comment.place
             limit 1
          ) comment on not ts_filter(thread.search, '{b}') @@ ${terms}
         where thread.id = any (${ids}::uuid[])
         -- Or the planner copies the text of the whole expression to each place that names it.
         offset 0) found`)
  return new Map(
    rows.map(({ id, title, text, plain, folded, isComment }) => {
      const pieces = withRuns(piecesOf(text), runs)
      const whole = plain.replaceAll(LESS, '<')
      const isFolded = !whole.includes(pieces.join(''))
      return [
        id,
        {
          title: withRuns(piecesOf(title), runs),
          text: shortened(pieces, isFolded ? folded.replaceAll(LESS, '<') : whole),
          isComment,
        },
      ]
    }),
  )
}

/** An emoji's look is part of it: variants, skin, and what it's joined with. */
const REST_OF_EMOJI =
  /\ue001((?:[\ufe00-\ufe0f\u20e3\u{1f3fb}-\u{1f3ff}]|\u200d[\ue000\ue001]*\p{So}\ue001?)+)/gu

/** Alternates between plain and found pieces. Undoes `words_apart`. */
const piecesOf = (marked: string) =>
  marked
    .replaceAll('\u0001', '')
    .replace(/[\ue002ᐩⵌꓸ]/g, (sign) => SIGNS[sign] ?? sign)
    .replace(/ⵘ(1f[\da-f]{3}|2[\da-f]{3})/g, (_, hex) => String.fromCodePoint(parseInt(hex, 16)))
    .replace(/(?<=\p{L})σ(?!\p{L})/gu, 'ς')
    .replace(REST_OF_EMOJI, (_, rest: string) => rest.replace(/[\ue000\ue001]/g, '') + STOP)
    .replaceAll(STOP + START, '')
    .split(/[\ue000\ue001]/)

/** Letters that `words_apart` sets apart. */
const APART =
  /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]+$/u

/** The words of a tsquery whose letters were set apart. */
const runsOf = (query: string) =>
  query
    .split(/ [&|] |[()!]/)
    .map((phrase) => phrase.replace(/' <-> '|'/g, ''))
    .filter((run) => APART.test(run))

/** PostgreSQL also marks such letters when they stand alone. Of its marks, this keeps only `runs`. */
function withRuns(pieces: string[], runs: string[]): string[] {
  const parts = ['']
  const plain = (text: string) => parts.push(parts.pop() + text)
  const found = (text: string) => parts.push(text, '')
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) plain(piece)
    else if (!APART.test(piece)) found(piece)
    else
      for (let at = 0; at < piece.length; ) {
        const run = runs.find((each) => piece.startsWith(each, at)) ?? ''
        if (run) found(run)
        else plain(piece.charAt(at))
        at += run.length || 1
      }
  }
  return parts
}

/** Cuts to at most `EXCERPT_MAX` characters, with "…" where the text continues. */
function shortened(pieces: string[], plain: string): string[] {
  const cut: string[] = []
  let room = EXCERPT_MAX
  for (const piece of pieces) {
    cut.push(cutText(piece, room))
    room -= piece.length
    if (room <= 0) break
  }
  const text = cut.join('')
  if (!plain.startsWith(text)) cut[0] = `…${cut[0]}`
  if (plain.endsWith(text)) return cut
  // Found pieces have odd positions, so the list ends with a plain one.
  if (cut.length % 2 === 0) cut.push('')
  cut[cut.length - 1] += '…'
  return cut
}
