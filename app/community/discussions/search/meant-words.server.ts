/** Spelling suggestions: for each word without matches, the most frequent word one typo away. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { oneSlipFrom } from '#app/companies/search/company-keys.ts'
import { allWindows, type Scan, scanWindows } from './found-posts.server.ts'
import { shownComment } from './search-excerpt.server.ts'

/** The rest of a longer text stays as it is. */
const WORDS_MAX = 8
/** Newest posts that are counted to find the most frequent word. */
const SAMPLE = 200
const WORD = /[\p{L}\p{N}]+/gu
const posts = sql`(
  select id, search, posted_minute, thread_facets(posted_minute, company_id, topics) as windows
    from threads where hidden is null
  union all
  select id, search, posted_minute, post_windows(posted_minute) from comments comment
   where ${shownComment}) posts`

/** Undefined without a suggestion. */
export async function meantBy(ctx: Ctx, text: string): Promise<string | undefined> {
  const scan = { windows: await allWindows(ctx), most: SAMPLE }
  const meant = new Map<string, string>()
  for (const word of [...new Set(text.toLowerCase().match(WORD))].slice(0, WORDS_MAX)) {
    const slips = oneSlipFrom(word)
    if (slips.length === 0) continue
    const said = await saidMost(ctx, [word, ...slips], scan)
    if (said !== undefined && said !== word) meant.set(word, said)
  }
  if (meant.size === 0) return undefined
  return text.replace(WORD, (word) => meant.get(word.toLowerCase()) ?? word)
}

/** The most frequent of `words`; none if no post has them, or if it is a stop word. */
async function saidMost({ db }: Ctx, words: string[], scan: Scan) {
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
    -- Most of them nobody ever said, which an index knows at once; to hold hundreds against each post takes long.
    form as materialized (
      select word, nth, lexeme from typed
       where nth = 1 or (select count(*) from threads where search @@ query) > 0
          or (select count(*) from comments where search @@ query) > 0),
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
