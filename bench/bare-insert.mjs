// The reference for a post: Fastify, one route, one row in a transaction of its own, nothing else.

import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = Fastify()
await pool.query('create table if not exists bare_posts (id uuid primary key, body text not null)')

app.post('/', async (request, reply) => {
  const client = await pool.connect()
  try {
    const id = randomUUID()
    await client.query('begin')
    await client.query('insert into bare_posts (id, body) values ($1, $2)', [id, request.body.body])
    await client.query('commit')
    return reply.code(201).send({ id })
  } finally {
    client.release()
  }
})
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`Bare route is ready at http://127.0.0.1:${app.server.address().port}`)
process.on('SIGTERM', async () => {
  await pool.query('drop table bare_posts')
  process.exit(0)
})
