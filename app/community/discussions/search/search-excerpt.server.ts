/** Titles and excerpts in pieces, plain and found in turn. */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { cutText } from '#app/kit/writing/text.ts'
import type { ThreadRow } from '../discussion.contract.ts'

/** Hidden and deleted comments are neither quoted nor found. */
export const shownComment = sql`comment.hidden is null and not comment.is_deleted`

const EXCERPT_WORDS = 34
/** Words can be long, and texts can have none. */
const EXCERPT_MAX = 260

/** Private-use characters, which are removed from texts first: no one can type a mark. */
const START = '\ue000'
const STOP = '\ue001'
/** Replaces "<", as an excerpt would drop what looks like a tag. */
const LESS = '\ue002'
const SIGNS: Record<string, string> = { [LESS]: '<', ᐩ: '+', ⵌ: '#' }
const PRIVATE = START + STOP + LESS
const marks = `StartSel=${START}, StopSel=${STOP}`
const WHOLE = `${marks}, HighlightAll=true`
const CUT = `${marks}, MaxWords=${EXCERPT_WORDS}, MinWords=${EXCERPT_WORDS - 10}, ShortWord=0`

/** The text of a post's HTML. `<` is always a tag of the renderer's here; a typed `<` is `&lt;`. */
const wordsOf = (html: Sql) => sql`
  replace(replace(replace(replace(
    regexp_replace(
      regexp_replace(translate(${html}, ${PRIVATE}, ''),
                     '</?(a|em|strong|del|code)( [^>]*)?>', '', 'g'),
      '(<[^>]*>|\\s)+', ' ', 'g'),
    '&lt;', ${LESS}), '&gt;', '>'), '&quot;', '"'), '&amp;', '&')`

/** By thread: its title, and its text or the comment that fits best. @param words a tsquery */
export async function matchesOf(ctx: Ctx, words: Sql, ids: string[]) {
  if (ids.length === 0) return new Map<string, NonNullable<ThreadRow['match']>>()
  type Found = Record<'id' | 'title' | 'text' | 'plain', string> & { isComment: boolean }
  const rows = await ctx.db.query<Found>(sql`
    select id, title, plain, "isComment", ts_headline('every_word', words_apart(plain), ${words}, ${CUT}) as text
      from (
        select thread.id,
               ts_headline('every_word',
                           words_apart(normalize(translate(thread.title, ${`<${PRIVATE}`}, ${LESS}))),
                           ${words}, ${WHOLE}) as title, comment.html is not null as "isComment",
               normalize(btrim(${wordsOf(sql`coalesce(comment.html, thread.html)`)})) as plain
          from threads thread
          left join lateral (
            select html from comments comment
             where comment.thread_id = thread.id and ${shownComment}
               -- "is true": PostgreSQL shall not look up the words for each thread.
               and (comment.search @@ ${words}) is true
             order by ts_rank(comment.search, ${words}) desc, comment.score desc, comment.place
             limit 1
          ) comment on not ts_filter(thread.search, '{b}') @@ ${words}
         where thread.id = any (${ids}::uuid[])
         -- Or the planner copies the text of the whole expression to each place that names it.
         offset 0) found`)
  return new Map(
    rows.map(({ id, title, text, plain, isComment }) => [
      id,
      {
        title: piecesOf(title),
        text: shortened(piecesOf(text), plain.replaceAll(LESS, '<')),
        isComment,
      },
    ]),
  )
}

/** Plain and found in turn. Undoes `words_apart`. */
const piecesOf = (marked: string) =>
  marked
    .replaceAll('\u0001', '')
    .replaceAll(STOP + START, '')
    .replace(/[\ue002ᐩⵌ]/g, (sign) => SIGNS[sign] ?? sign)
    .split(/[\ue000\ue001]/)

/** At most `EXCERPT_MAX` characters, with "…" where the text continues. */
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
  // Found pieces have odd positions, so it ends with a plain one.
  if (cut.length % 2 === 0) cut.push('')
  cut[cut.length - 1] += '…'
  return cut
}
