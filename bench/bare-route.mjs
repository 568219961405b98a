// The reference for a personal answer: Fastify, one route, one indexed query, nothing else.

import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = Fastify()
const { rows } = await pool.query('select id from accounts limit 1')
const id = rows[0].id

app.get('/', async () => {
  const answer = await pool.query(
    'select id, is_suspended, made_in_month from accounts where id = $1',
    [id],
  )
  return answer.rows[0]
})
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`Bare route is ready at http://127.0.0.1:${app.server.address().port}`)
process.on('SIGTERM', () => process.exit(0))
