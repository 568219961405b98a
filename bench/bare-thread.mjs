// The reference for a page that no cache holds: one route, two named queries, a template, light compression.

import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const compress = promisify(brotliCompress)

const thread = {
  name: 'thread',
  text: 'select title, html, author_name, posted_minute, score from threads where id = $1',
}
const comments = {
  name: 'comments',
  text: 'select id, author_name, html, posted_minute, score from comments where thread_id = $1 order by place',
}

const post = ({ id = '', author_name, html, posted_minute, score }) =>
  `<article id="${id}"><header>${author_name} · ${new Date(posted_minute * 60_000).toISOString()}</header>${html}<p>${score}</p></article>`

// While the site is measured it waits.
const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  const values = [request.url.split('/').at(-1).slice(0, 36)]
  const [first, others] = await Promise.all([
    pool.query({ ...thread, values }),
    pool.query({ ...comments, values }),
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
})
server.listen(0, '127.0.0.1', () =>
  console.log(`Bare thread is ready at http://127.0.0.1:${server.address().port}`),
)
process.on('SIGTERM', () => process.exit(0))
