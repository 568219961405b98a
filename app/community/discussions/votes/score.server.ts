/**
 * The two scores of a post. Its column `score` is what lists are ordered by: the votes of members, and of
 * what visitors' votes come to (`visitor_score`) only a little. What people are shown has all of both.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { PostRef } from '../../reports/report.ts'
import { VISITOR_WEIGHT } from '../discussion.ts'

const WEIGHT = raw(String(VISITOR_WEIGHT))

/** Of what visitors' votes come to, so much counts in the order of lists. */
export const weighed = (visitors: Sql) => sql`least(greatest(${visitors}, -${WEIGHT}), ${WEIGHT})`

/** Members' votes alone: cred is made of them. @param post a table or alias with both columns */
export const provenScore = (post: Sql) =>
  sql`(${post}.score - ${weighed(sql`${post}.visitor_score`)})`

/** What people are shown. */
export const shownScore = (post: Sql) => sql`(${provenScore(post)} + ${post}.visitor_score)`

/**
 * The statement that counts votes, or no longer does, and answers the score as it is shown now; for a part of
 * another one. Run it in a transaction that has locked the post.
 * @param change rows with the differences `proven`, of members, and `visitors`, of none or one post
 */
export const countingOf = (kind: PostRef['kind'], id: string, change: Sql): Sql => sql`
  update ${kind === 'thread' ? sql`threads` : sql`comments`} post
     set score = score + change.proven - ${weighed(sql`visitor_score`)}
                 + ${weighed(sql`visitor_score + change.visitors`)},
         visitor_score = visitor_score + change.visitors
    from ${change} change
   where id = ${id} and (change.proven, change.visitors) <> (0, 0)
   returning ${shownScore(sql`post`)} as score`
