/** The site's logo, and the picture of its shared links. */
import type { Sharp } from 'sharp'
import sql from 'sql-template-tag'
import { pictureHash, readPicture } from '#app/companies/logos/logo-picture.server.ts'
import { contrast, GROUNDS } from '#app/platform/accent.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import type { SiteLogo } from '#app/platform/operations/live-settings.ts'
import { SHARE_PICTURE } from '../seo/machine-readable.server.ts'
import { PICTURE_REFUSALS, PICTURES, type PictureName, pictureText } from './site-setting.ts'

export interface NewPicture {
  /** The setting's. */
  text: string
  hash: string
  bytes: Buffer
}

/** @throws Refusal bad-request, too-large, unsupported-type */
export const sitePictureOf = (name: PictureName, file: Buffer): Promise<NewPicture> =>
  readPicture(file, async (picture) => {
    const { width, height } = (await picture.metadata()).autoOrient
    const { least } = PICTURES[name]
    if (width < least.width || height < least.height)
      throw badRequest(PICTURE_REFUSALS.tooSmall(name, { width, height }))
    const { bytes, ...size } = await (name === 'logo' ? logoFrom(picture) : sharedFrom(picture))
    const hash = pictureHash(bytes)
    return { text: pictureText(hash, size), hash, bytes }
  })

/** Sharp on dense screens: pages show it 32 pixels high. */
const LOGO_MOST = { width: 480, height: 160 }
/** Each email carries it. */
const LOGO_BYTES = 48 * 1024

/** A PNG, because not all mail programs show others. */
async function logoFrom(picture: Sharp) {
  const small = picture.resize({ ...LOGO_MOST, fit: 'inside', withoutEnlargement: true })
  const full = await small.clone().png().toBuffer({ resolveWithObject: true })
  const { data, info } =
    full.data.length <= LOGO_BYTES
      ? full
      : await small.clone().png({ palette: true }).toBuffer({ resolveWithObject: true })
  const { width, height } = info
  return { bytes: data, width, height, tone: await toneOf(small) }
}

async function sharedFrom(picture: Sharp) {
  const { width, height } = SHARE_PICTURE
  const bytes = await picture
    .resize({ width, height, fit: 'cover' })
    .flatten({ background: GROUNDS.light.surface })
    .jpeg({ quality: 85 })
    .toBuffer()
  return { bytes, width, height }
}

/** With less than this, a logo is hard to see on a page. */
const LOGO_CONTRAST = 2
const OPAQUE = 0.99

/** Which pages a logo without a ground of its own is too similar to. */
async function toneOf(picture: Sharp): Promise<SiteLogo['tone']> {
  const pixels = await picture.clone().ensureAlpha().raw().toBuffer()
  const sums = [0, 0, 0]
  let alphas = 0
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0
    alphas += alpha
    for (const part of [0, 1, 2]) sums[part] = (sums[part] ?? 0) + alpha * (pixels[at + part] ?? 0)
  }
  if (alphas === 0 || alphas > OPAQUE * 255 * (pixels.length / 4)) return undefined
  const mean = sums.map((sum) =>
    Math.round(sum / alphas)
      .toString(16)
      .padStart(2, '0'),
  )
  const isLostOn = (page: string) => contrast(`#${mean.join('')}`, page) < LOGO_CONTRAST
  if (isLostOn(GROUNDS.dark.paper)) return 'dark'
  return isLostOn(GROUNDS.light.paper) ? 'light' : undefined
}

/** Run it in the transaction that changes the setting. */
export async function storePicture(
  db: Pick<Database, 'query'>,
  name: PictureName,
  picture: NewPicture | undefined,
) {
  if (!picture) return db.query(sql`delete from site_pictures where name = ${name}`)
  const { hash, bytes } = picture
  return db.query(sql`
    insert into site_pictures (name, hash, bytes)
    values (${name}, ${hash}, decode(${bytes.toString('base64')}, 'base64'))
    on conflict (name) do update set hash = excluded.hash, bytes = excluded.bytes`)
}

/** @param hash any, if undefined */
export async function storedPicture(
  db: Pick<Database, 'query'>,
  name: PictureName,
  hash?: string,
): Promise<Buffer | undefined> {
  const [picture] = await db.query<{ bytes: string }>(sql`
    select encode(bytes, 'base64') as bytes from site_pictures
     where name = ${name} and hash = coalesce(${hash ?? null}, hash)`)
  return picture && Buffer.from(picture.bytes, 'base64')
}
