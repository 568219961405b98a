/**
 * The two scores of a post. Lists are ordered by `score`: members' votes, and of visitors' (`visitor_score`) only a little.
 * People see the sum of both.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { PostRef } from '../../reports/report.ts'
import { VISITOR_WEIGHT } from '../discussion.ts'

const WEIGHT = raw(String(VISITOR_WEIGHT))

/** What of visitors' votes counts in lists. */
export const weighed = (visitors: Sql) => sql`least(greatest(${visitors}, -${WEIGHT}), ${WEIGHT})`

/** Members' votes alone, which cred is made of. @param post a table or alias with both columns */
export const provenScore = (post: Sql) =>
  sql`(${post}.score - ${weighed(sql`${post}.visitor_score`)})`

export const shownScore = (post: Sql) => sql`(${provenScore(post)} + ${post}.visitor_score)`

/**
 * Part of a statement that counts votes and returns the score that people see. Call it in a transaction that has locked the
 * post. @param change rows with the differences `proven`, of members, and `visitors`, of at most one post
 */
export const countingOf = (kind: PostRef['kind'], id: string, change: Sql): Sql => sql`
  update ${kind === 'thread' ? sql`threads` : sql`comments`} post
     set score = score + change.proven - ${weighed(sql`visitor_score`)}
                 + ${weighed(sql`visitor_score + change.visitors`)},
         visitor_score = visitor_score + change.visitors
    from ${change} change
   where id = ${id} and (change.proven, change.visitors) <> (0, 0)
   returning ${shownScore(sql`post`)} as score`
