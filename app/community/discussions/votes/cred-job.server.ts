/** Members' votes on a person's posts, summed at night so that no single vote shows. */
import sql, { type Sql } from 'sql-template-tag'
import { credKey } from '#app/identity/accounts/account-commands.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { openAuthors } from '../posts/own-posts.server.ts'
import { provenScore } from './score.server.ts'

const TOGETHER = 5_000

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
    for (let from = 0; from < rows.length; from += TOGETHER)
      await insert(db, rows.slice(from, from + TOGETHER))
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
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const posts = await db.query<{ id: string; owner: Uint8Array | null; score: number }>(sql`
      select id, owner, ${provenScore(sql`post`)} as score from ${table} post
       where id > ${after} order by id limit ${TOGETHER}`)
    const authors = openAuthors(
      secrets,
      posts.filter(({ score }) => score !== 0),
    )
    for (const { id, score } of posts) {
      const root = authors.get(id)?.root.toString('hex')
      if (root) sums.set(root, (sums.get(root) ?? 0) + score)
    }
    const last = posts.at(-1)
    if (posts.length < TOGETHER || !last) return
    after = last.id
  }
}
