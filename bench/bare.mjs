/**
 * The minimum that the same work can cost, to compare the site's figures with. `/body` is plain node:http, which sends the
 * bytes of the page `COPY_OF`. `/thread/ID` is an uncached page: two named queries, a template, light compression. `/me` is
 * Fastify with one indexed query. `/comments` and `/votes` are Fastify plus the row that the site writes, in a transaction,
 * with its constraints, in a table with its key and no other index.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, get } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const compress = promisify(brotliCompress)
const app = Fastify()

function copyOf(url) {
  if (!url) return undefined
  return new Promise((resolve) => {
    get(url, { headers: { 'accept-encoding': 'br' } }, async (response) => {
      const body = Buffer.concat(await response.toArray())
      const { date, connection, 'transfer-encoding': _, ...headers } = response.headers
      delete headers['keep-alive']
      resolve({ body, headers: { ...headers, 'content-length': body.length } })
    })
  })
}
const copy = await copyOf(process.env.COPY_OF)

const THREAD = {
  name: 'thread',
  text: 'select title, html, author_name, posted_minute, score from threads where id = $1',
}
const COMMENTS = {
  name: 'comments',
  text: 'select id, author_name, html, posted_minute, score from comments where thread_id = $1 order by place',
}
const post = ({ id = '', author_name, html, posted_minute, score }) =>
  `<article id="${id}"><header>${author_name} · ${new Date(posted_minute * 60_000).toISOString()}</header>${html}<p>${score}</p></article>`

async function sendThread(request, response) {
  const values = [request.url.split('/').at(-1).slice(0, 36)]
  const [first, others] = await Promise.all([
    pool.query({ ...THREAD, values }),
    pool.query({ ...COMMENTS, values }),
  ])
  const { title } = first.rows[0]
  const html = `<!doctype html><title>${title}</title><h1>${title}</h1>${post(first.rows[0])}${others.rows.map(post).join('')}`
  const body = await compress(html, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 17 },
  })
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'br',
    'content-length': body.length,
  })
  response.end(body)
}

let someone
app.get('/me', async () => {
  someone ??= (await pool.query('select id from accounts limit 1')).rows[0].id
  const text = 'select id, is_suspended, made_in_month from accounts where id = $1'
  return (await pool.query(text, [someone])).rows[0]
})

const ROWS = {
  comments: {
    key: 'id',
    of: (body) => ({
      ...{ id: randomUUID(), thread_id: randomUUID(), parent_id: null },
      ...{ key: randomBytes(16), own_row_key: randomBytes(16), person_sealed: randomBytes(16) },
      ...{ author_name: 'Quiet Otter', is_visitor: false, body, html: `<p>${body}</p>`, place: 1 },
      posted_minute: Math.floor(Date.now() / 60_000),
      idempotency_key: randomBytes(16).toString('base64url'),
    }),
  },
  votes: {
    key: 'subject_id, key',
    of: () => ({ subject_id: randomUUID(), key: randomBytes(16), value: 1, state: 'trusted' }),
  },
}
const DROP = 'drop table if exists bare_comments, bare_votes'

async function takeRows() {
  await pool.query(DROP)
  for (const [table, { key, of }] of Object.entries(ROWS)) {
    const copied = `like ${table} including defaults including constraints`
    await pool.query(`create table bare_${table} (${copied}, primary key (${key}))`)
    const columns = Object.keys(of(''))
    const text = `insert into bare_${table} (${columns}) values (${columns.map((_, n) => `$${n + 1}`)})`
    app.post(`/${table}`, async (request, reply) => {
      const row = of(request.body.body)
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
  await pool.query('alter table bare_comments drop column search')
}
if (process.env.TAKES_ROWS) await takeRows()
await app.ready()

// Stays open while the site is being measured.
const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  if (request.url === '/body') response.writeHead(200, copy.headers).end(copy.body)
  else if (request.url.startsWith('/thread/')) sendThread(request, response)
  else app.routing(request, response)
})
server.listen(0, '127.0.0.1', () =>
  console.log(`The bare server is ready at http://127.0.0.1:${server.address().port}`),
)
process.on('SIGTERM', async () => {
  if (process.env.TAKES_ROWS) await pool.query(DROP)
  process.exit(0)
})
