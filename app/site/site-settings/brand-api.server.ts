import { LRUCache } from 'lru-cache'
import { requireRecentLogin } from '#app/api/auth/require.server.ts'
import type { RouteParts } from '#app/api/feature.server.ts'
import { acceptPicture, sendPicture } from '#app/companies/logos/logo-api.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import { accentCss, accentFile } from './accent-css.server.ts'
import { storedPicture } from './site-pictures.server.ts'
import { isPictureName, PICTURE_REFUSALS, PICTURES, type PictureName } from './site-setting.ts'
import { choosePicture } from './site-settings.server.ts'

const YEAR_S = 31_536_000
const FOREVER = `public, max-age=${YEAR_S}, immutable`
const STYLES = /^([0-9a-f]{6})-[0-9a-f]{8}\.css$/
const PICTURE = /^(?:(logo)|share)-([0-9a-f]{16})\.(?:png|jpeg)$/
const REMEMBERED = 4

/** Mounts `GET /brand/{file}`: what administrators chose for the site's look. And how they send pictures. */
export async function serveBrand({
  http,
  db,
  contextOf,
  ...parts
}: Pick<RouteParts, 'http' | 'db' | 'contextOf' | 'environmentConfig' | 'config' | 'settings'>) {
  const { config } = parts
  // So that they're there if the database isn't.
  const remembered = new LRUCache<string, Buffer>({ max: REMEMBERED })

  http.get('/brand/:file', { schema: { hide: true } }, async (request, reply) => {
    const { file } = request.params as { file: string }
    const [, color] = STYLES.exec(file) ?? []
    if (color) {
      const accent = `#${color}`
      // A page of another version may name other shades.
      const isSame = file === accentFile(accent)
      return reply
        .header('cache-control', isSame ? FOREVER : 'no-store')
        .type('text/css; charset=utf-8')
        .send(accentCss(accent))
    }
    const [isOne, logo, hash] = PICTURE.exec(file) ?? []
    if (!isOne) throw notFound(PICTURE_REFUSALS.notFound)
    const name: PictureName = logo ? 'logo' : 'sharePicture'
    const bytes = remembered.get(file) ?? (await storedPicture(db, name, hash))
    if (bytes) {
      remembered.set(file, bytes)
      return sendPicture(reply, `image/${PICTURES[name].type}`, bytes)
    }
    // A cached page may still name the previous picture.
    const current = name === 'logo' ? config.logo?.path : config.sharePicture
    if (!current || current.endsWith(`/${file}`)) throw notFound(PICTURE_REFUSALS.notFound)
    return reply.header('cache-control', 'no-store').redirect(current)
  })

  await acceptPicture(http, '/api/v1/administration/settings/:name/picture', {
    schema: {
      summary: 'Set the logo or the share picture. The body is the file',
      tags: ['administration'],
    },
    contextOf,
    admit: requireRecentLogin,
    keep(ctx, { name = '' }, file) {
      if (!isPictureName(name)) throw notFound(PICTURE_REFUSALS.notFound)
      return choosePicture(ctx, parts, { name, file })
    },
  })
}
