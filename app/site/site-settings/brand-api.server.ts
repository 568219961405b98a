import type { FastifyInstance } from 'fastify'
import { notFound } from '#app/platform/http/refusal.ts'
import { accentCss, accentFile } from './accent-css.server.ts'

const YEAR_S = 31_536_000
const FOREVER = `public, max-age=${YEAR_S}, immutable`
const STYLES = /^([0-9a-f]{6})-[0-9a-f]{8}\.css$/

/** Mounts `GET /brand/{file}`: what administrators chose for the site's look. */
export function serveBrand(http: FastifyInstance) {
  http.get('/brand/:file', { schema: { hide: true } }, async (request, reply) => {
    const { file } = request.params as { file: string }
    const [, color] = STYLES.exec(file) ?? []
    if (!color) throw notFound('There’s nothing at this URL')
    const accent = `#${color}`
    // A page of another version may name other shades.
    const isSame = file === accentFile(accent)
    return reply
      .header('cache-control', isSame ? FOREVER : 'no-store')
      .type('text/css; charset=utf-8')
      .send(accentCss(accent))
  })
}
