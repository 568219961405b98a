/** Searches threads by their words, best match first or in the order of a list. D44. */
import sql, { join, type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { oneTypoFrom } from '#app/companies/search/company-keys.ts'
import { cutText } from '#app/kit/writing/text.ts'
import { afterCursor, writeCursor } from '#app/platform/database/keyset.server.ts'
import { searchedWords } from '#app/platform/database/searched-words.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { SEARCH_TIMEOUT, type Searches } from '#app/platform/http/searches.server.ts'
import type { ThreadsPage } from '../discussion.contract.ts'
import { THREADS_PAGE, usualThreadSort } from '../discussion.ts'
import {
  filtersOf,
  listThreads,
  ORDERS,
  type RawRow,
  rowColumns,
  threadViewOf,
} from '../threads/thread-queries.server.ts'
import {
  allWindows,
  FOUND_MAX,
  findThreads,
  matchesOf,
  type Scan,
  type SearchedWords,
  scanWindows,
  shownComment,
  type ThreadSearch,
} from './found-posts.server.ts'

const SEARCH_MAX = 200
/** Eight, and as many stop words between them. */
const WORDS_MAX = 16

/** Only searches have a relevance. An empty search is a list. */
export function listOrSearch(
  ctx: Ctx,
  {
    search,
    sort = usualThreadSort(search),
    ...query
  }: Omit<ThreadSearch, 'search' | 'sort'> & Partial<ThreadSearch>,
  searches: Searches,
) {
  if (search) return searches.run(ctx, () => searchThreads(ctx, { ...query, sort, search }))
  return listThreads(ctx, { ...query, sort: sort === 'relevance' ? 'hot' : sort })
}

/**
 * Pages by keyset; `match` says where the words are. Without matches it searches for a spelling suggestion (`found.meant`).
 * @throws Refusal bad-request for another search's page marker
 */
export const searchThreads = (ctx: Ctx, query: ThreadSearch): Promise<ThreadsPage> =>
  transaction(ctx, async (ctx) => {
    // Rules out table scans, no matter how common the words are, and gives bitmaps enough memory to stay exact.
    await ctx.db.query(
      sql`
      select set_config('enable_seqscan', 'off', true), set_config('work_mem', '32MB', true),
             set_config('statement_timeout', ${SEARCH_TIMEOUT}, true)`,
    )
    const beyond = beyondOf(query)
    const pageOf = async (text: string) => {
      const words = await tsqueriesOf(ctx, text)
      return words && pageBehind(ctx, beyond, words, query)
    }
    const text = cutText(query.search, SEARCH_MAX).trim()
    const page = await pageOf(text)
    if (!page)
      return { pinned: [], threads: [], next: null, found: { total: 0, totalIsExact: true } }
    const meant = page.found.total > 0 ? undefined : await meantBy(ctx, text)
    const other = meant === undefined ? undefined : await pageOf(meant)
    return other?.found.total ? { ...other, found: { ...other.found, meant } } : page
  })

/** Undefined if the text has no word to search for. */
async function tsqueriesOf(ctx: Ctx, text: string): Promise<SearchedWords | undefined> {
  const words = await searchedWords(ctx, text.split(/\s+/).slice(0, WORDS_MAX).join(' '))
  if (!words || words.needed === '' || words.needed === 'T') return undefined
  const exact = words.query
  const phrase = /<(-|\d+)>/g
  // We mustn't exclude more than the phrase.
  const loose = exact.includes('!') ? exact : exact.replaceAll(phrase, '&')
  return {
    exact: sql`${exact}::tsquery`,
    query: exact,
    loose: sql`${loose}::tsquery`,
    hasPhrase: phrase.test(exact),
  }
}

/** A match that's half as good ranks the same as one this much older. */
const HALVED_MINUTES = 365 * 1_440

/**
 * A title counts more than a text, a text more than comments, and words close together count more. It's a logarithm plus
 * age, as in `hot`, so ranks don't change with time and a page can start after another one.
 */
const relevance = (words: Sql) => sql`
  ln(case when ts_filter(thread.search, '{a}') @@ ${words} then 1.0
          when thread.search @@ ${words} then 0.4 else 0.0 end
       * (1 + ts_rank_cd('{0, 0, 0.4, 1}', thread.search, ${words}, 32))
     + 0.2 * found.comments / (found.comments + 1.0))
  + 0.1 * log(greatest(thread.score, 1)::double precision)
  + ln(2.0::double precision) * thread.posted_minute / ${HALVED_MINUTES}::double precision`

/** Threads after the last one of the previous page. @throws Refusal bad-request */
function beyondOf({ sort, after }: ThreadSearch) {
  if (after === undefined) return sql`true`
  const { cast, form } = ORDERS[sort === 'relevance' ? 'hot' : sort]
  return afterCursor(after, { name: `search ${sort}`, column: sql`value`, id: sql`id`, cast, form })
}

async function pageBehind(ctx: Ctx, beyond: Sql, words: SearchedWords, query: ThreadSearch) {
  const { comments, isAll } = await findThreads(ctx, words, query)
  const { sort } = query
  const value = sort === 'relevance' ? relevance(words.exact) : ORDERS[sort].column
  const filters = filtersOf(ctx, { ...query, sort: sort === 'relevance' ? 'hot' : sort })
  const rows = await ctx.db.query<RawRow & { value: string; total: number }>(sql`
    with ranked as materialized (
      select thread.id, ${value} as value
        from unnest(${[...comments.keys()]}::uuid[], ${[...comments.values()]}::integer[])
             as found(id, comments)
       -- "offset 0": each is looked up, and no table read for many of them.
       cross join lateral (select * from threads where id = found.id offset 0) thread
       where ${join(filters, ' and ')})
    select ${rowColumns}, page.value::text as value,
           (select count(*)::integer from ranked) as total
      from (select id, value from ranked where ${beyond}
             order by value desc, id desc limit ${THREADS_PAGE + 1}) page
      join threads thread using (id)
     order by page.value desc, thread.id desc`)
  const shown = rows.slice(0, THREADS_PAGE)
  const ids = shown.map(({ id }) => id)
  const matches = await matchesOf(ctx, words.query, ids)
  const last = rows.length > THREADS_PAGE && shown.at(-1)
  const total = rows[0]?.total ?? 0
  return {
    pinned: [],
    threads: shown.map(({ value: _, total: __, ...row }) => threadViewOf(row, matches.get(row.id))),
    next: last ? writeCursor({ order: `search ${sort}`, value: last.value, id: last.id }) : null,
    found: { total: Math.min(total, FOUND_MAX), totalIsExact: isAll && total <= FOUND_MAX },
  }
}

/** How many words we check for a suggestion. The rest of a longer text stays as it is. */
const MEANT_WORDS_MAX = 8
/** How many of the newest posts we count to find the most frequent word. */
const SAMPLE = 200
const WORD = /[\p{L}\p{N}]+/gu
const posts = sql`(
  select id, search, posted_minute, thread_facets(posted_minute, company_id, topics) as windows
    from threads where hidden is null
  union all
  select id, search, posted_minute, post_windows(posted_minute) from comments comment
   where ${shownComment}) posts`

/** Spelling suggestion: for each word without matches, the most frequent word one typo away. Undefined without one. */
async function meantBy(ctx: Ctx, text: string): Promise<string | undefined> {
  const scan = { windows: await allWindows(ctx), max: SAMPLE }
  const meant = new Map<string, string>()
  for (const word of [...new Set(text.toLowerCase().match(WORD))].slice(0, MEANT_WORDS_MAX)) {
    const typos = oneTypoFrom(word)
    if (typos.length === 0) continue
    const likeliest = await mostFrequent(ctx, [word, ...typos], scan)
    if (likeliest !== undefined && likeliest !== word) meant.set(word, likeliest)
  }
  if (meant.size === 0) return undefined
  return text.replace(WORD, (word) => meant.get(word.toLowerCase()) ?? word)
}

/** The most frequent of `words`. None if no post has them, or if it's a stop word. */
async function mostFrequent({ db }: Ctx, words: string[], scan: Scan) {
  const newest = scanWindows(
    scan,
    sql`
      select id, posted_minute, true as fits from ${posts} where windows && step.windows
         and search @@ (select string_agg(quote_literal(lexeme), ' | ')::tsquery from form)`,
  )
  const [said] = await db.query<{ word: string }>(sql`
    with typed as materialized (
      select word, nth, lexeme, quote_literal(lexeme)::tsquery as query
        from unnest(${words}::text[]) with ordinality typed(word, nth),
             unnest(tsvector_to_array(to_tsvector('telling_words', word))) lexeme),
    -- Most of them occur nowhere, which an index knows at once. Comparing hundreds with each post takes long.
    form as materialized (
      select word, nth, lexeme from typed
       -- "offset 0": each looks up the index, and no table is read for all of them.
       where nth = 1 or exists (select from threads where search @@ query offset 0)
          or exists (select from comments where search @@ query offset 0)),
    said as materialized (
      select lexeme, count(*) as posts from (${newest}) newest
       -- "offset 0": each is looked up, and no table read for many of them.
       cross join lateral (select search from ${posts} where id = newest.id offset 0) post,
             unnest(tsvector_to_array(search)) lexeme group by lexeme)
    select word from form join said using (lexeme)
     where exists (select from form where nth = 1)
     order by (nth = 1) desc, posts desc, length(word) desc, nth limit 1`)
  return said?.word
}
