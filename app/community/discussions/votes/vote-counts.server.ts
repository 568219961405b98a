/**
 * The two scores of a post. Lists are ordered by `score`: trusted votes, plus a limited share of untrusted ones
 * (`untrusted_score`). People see the sum of both.
 */

import sql, { raw, type Sql } from 'sql-template-tag'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { credKey } from '#app/identity/accounts/account-queries.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { NIL_UUID } from '#app/platform/uuid.ts'
import type { PostRef } from '../../reports/report.ts'
import { openAuthors } from '../posts/own-posts.server.ts'
import { UNTRUSTED_WEIGHT } from './vote.ts'

/** As `votes.state` stores them. Untrusted: see `isUntrusted`. A held vote is an untrusted one that doesn't count yet. */
export const VOTE_STATES = { trusted: 'trusted', untrusted: 'untrusted', held: 'held' } as const
export type VoteState = (typeof VOTE_STATES)[keyof typeof VOTE_STATES]

/** A literal, because the index `votes_held` covers only these. */
export const isHeldVote = raw(`state = '${VOTE_STATES.held}'`)

const WEIGHT = raw(String(UNTRUSTED_WEIGHT))

/** The part of untrusted votes that counts in lists. */
export const weighed = (untrusted: Sql) => sql`least(greatest(${untrusted}, -${WEIGHT}), ${WEIGHT})`

/** Trusted votes only, which cred is the sum of. @param post a table or alias with both columns */
const trustedScore = (post: Sql) => sql`(${post}.score - ${weighed(sql`${post}.untrusted_score`)})`

export const shownScore = (post: Sql) => sql`(${trustedScore(post)} + ${post}.untrusted_score)`

/**
 * Part of a statement that counts votes and returns the score that people see. Call it in a transaction that has locked the
 * post. @param change rows with the differences `trusted` and `untrusted` of at most one post
 */
export const countingOf = (kind: PostRef['kind'], id: string, change: Sql): Sql => sql`
  update ${kind === 'thread' ? sql`threads` : sql`comments`} post
     set score = score + change.trusted - ${weighed(sql`untrusted_score`)}
                 + ${weighed(sql`untrusted_score + change.untrusted`)},
         untrusted_score = untrusted_score + change.untrusted
    from ${change} change
   where id = ${id} and (change.trusted, change.untrusted) <> (0, 0)
   returning ${shownScore(sql`post`)} as score`

/** A voter has one key within a thread, and another in every other. D40. */
export const voteKey = (root: Buffer, threadId: string) => contextKey(root, 'vote', threadId)
export const pollKey = (root: Buffer, threadId: string) => contextKey(root, 'poll', threadId)

const BATCH = 5_000

/** Members' votes on a person's posts, summed at night so no single vote shows. */
export async function sumCred(ctx: Pick<ServerContext, 'db' | 'secrets'>) {
  const sums = new Map<string, number>()
  for (const table of [sql`threads`, sql`comments`]) await addScores(ctx, table, sums)
  const people = [...sums].filter(([, cred]) => cred !== 0)
  const rows = people
    .map(([root, cred]) => ({ key: credKey(Buffer.from(root, 'hex')), cred }))
    // A random order.
    .sort((a, b) => Buffer.compare(a.key, b.key))
  await ctx.db.transaction(async (db) => {
    await db.query(sql`delete from member_cred`)
    for (let from = 0; from < rows.length; from += BATCH)
      await insert(db, rows.slice(from, from + BATCH))
  })
}

const insert = (db: Database, rows: { key: Buffer; cred: number }[]) =>
  db.query(sql`
    insert into member_cred (key, cred)
    select * from unnest(${rows.map(({ key }) => key)}::bytea[],
                         ${rows.map(({ cred }) => cred)}::integer[])`)

async function addScores(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  table: Sql,
  sums: Map<string, number>,
) {
  for (let after = NIL_UUID; ; ) {
    const posts = await db.query<{
      id: string
      personSealed: Uint8Array | null
      score: number
    }>(sql`
      select id, person_sealed as "personSealed", ${trustedScore(sql`post`)} as score from ${table} post
       where id > ${after} order by id limit ${BATCH}`)
    const authors = openAuthors(
      secrets,
      posts.filter(({ score }) => score !== 0),
    )
    for (const { id, score } of posts) {
      const root = authors.get(id)?.root.toString('hex')
      if (root) sums.set(root, (sums.get(root) ?? 0) + score)
    }
    const last = posts.at(-1)
    if (posts.length < BATCH || !last) return
    after = last.id
  }
}
