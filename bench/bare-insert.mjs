/**
 * The reference of writing: Fastify, one route, one row in a transaction of its own, nothing else. `/` inserts
 * two columns; `/comments` and `/votes` the same row that the site does, with the same
 * columns and their constraints, in a table that has its key and no other index.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = Fastify()

const ROWS = {
  posts: { key: 'id', of: ({ body }) => ({ id: randomUUID(), body }) },
  comments: {
    key: 'id',
    of: ({ body }) => ({
      id: randomUUID(),
      thread_id: randomUUID(),
      parent_id: null,
      key: randomBytes(16),
      mine: randomBytes(16),
      owner: randomBytes(16),
      author_name: 'Quiet Otter',
      is_visitor: false,
      body,
      html: `<p>${body}</p>`,
      posted_minute: Math.floor(Date.now() / 60_000),
      place: 1,
      sending: randomBytes(16).toString('base64url'),
    }),
  },
  votes: {
    key: 'subject_id, key',
    of: () => ({ subject_id: randomUUID(), key: randomBytes(16), value: 1, state: 'proven' }),
  },
}

await pool.query('drop table if exists bare_posts, bare_comments, bare_votes')
await pool.query('create table bare_posts (id uuid, body text not null)')
for (const [table, { key, of }] of Object.entries(ROWS)) {
  if (table !== 'posts')
    await pool.query(
      `create table bare_${table} (like ${table} including defaults including constraints)`,
    )
  if (table === 'comments') await pool.query('alter table bare_comments drop column search')
  await pool.query(`alter table bare_${table} add primary key (${key})`)
  const columns = Object.keys(of({ body: '' }))
  const text = `insert into bare_${table} (${columns}) values (${columns.map((_, n) => `$${n + 1}`)})`
  app.post(table === 'posts' ? '/' : `/${table}`, async (request, reply) => {
    const row = of(request.body)
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query(text, Object.values(row))
      await client.query('commit')
      return reply.code(201).send({ id: row.id })
    } finally {
      client.release()
    }
  })
}
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`Bare route is ready at http://127.0.0.1:${app.server.address().port}`)
process.on('SIGTERM', async () => {
  await pool.query('drop table bare_posts, bare_comments, bare_votes')
  process.exit(0)
})
