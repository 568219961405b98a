/**
 * The two scores of a post. Its column `score` is what lists are ordered by: the votes of members, and of
 * what visitors' votes come to (`visitor_score`) only a little. What people are shown has all of both.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import { type Database, PREPARED } from '../../../server/database.server.ts'
import { VISITOR_WEIGHT } from '../discussion.ts'

const WEIGHT = raw(String(VISITOR_WEIGHT))

/** Of what visitors' votes come to, so much counts in the order of lists. */
export const weighed = (visitors: Sql) => sql`least(greatest(${visitors}, -${WEIGHT}), ${WEIGHT})`

/** Members' votes alone: cred is made of them. @param post a table or alias with both columns */
export const provenScore = (post: Sql) =>
  sql`(${post}.score - ${weighed(sql`${post}.visitor_score`)})`

/** What people are shown. */
export const shownScore = (post: Sql) => sql`(${provenScore(post)} + ${post}.visitor_score)`

/** Votes that are counted, or no longer are. */
export interface ScoreChange {
  proven: number
  visitors: number
}

/** Answers the score as it is shown now. Run it in a transaction that has locked the post. */
export async function changeScore(
  db: Database,
  table: Sql,
  id: string,
  { proven, visitors }: ScoreChange,
): Promise<number> {
  const [post] = await db.query<{ score: number }>(
    sql`
    update ${table} post
       set score = score + ${proven}::integer - ${weighed(sql`visitor_score`)}
                   + ${weighed(sql`visitor_score + ${visitors}::integer`)},
           visitor_score = visitor_score + ${visitors}::integer
     where id = ${id} returning ${shownScore(sql`post`)} as score`,
    PREPARED,
  )
  return post?.score ?? 0
}
