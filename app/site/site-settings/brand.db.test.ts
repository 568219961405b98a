/** The look that administrators give the site, on a real database. */
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { LOGO_REFUSALS } from '#app/companies/logos/logo.ts'
import { adminLog } from '#app/office/administration/admin-log-queries.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { createChosenSettings } from '#app/platform/operations/chosen-settings.server.ts'
import { featureConfig, readConfig } from '#app/platform/operations/config.server.ts'
import { bareHttp } from '#tests/support/api.ts'
import { withDatabase } from '#tests/support/database.ts'
import { accentPath } from './accent-css.server.ts'
import { serveBrand } from './brand-api.server.ts'
import { type PictureName, pictureIn } from './site-setting.ts'
import { choosePicture, chooseSetting, siteSetting, withSettings } from './site-settings.server.ts'

const { as, castOn, outside } = withDatabase()
const environmentConfig = featureConfig(readConfig({}))

/** A picture of one color, with a margin that can be transparent. */
const picture = (width: number, height: number, ink: string, around = ink) =>
  sharp({ create: { width, height, channels: 4, background: around } })
    .composite([
      {
        input: {
          create: {
            width: Math.ceil(width / 2),
            height: Math.ceil(height / 2),
            channels: 4,
            background: ink,
          },
        },
      },
    ])
    .png()
    .toBuffer()
const NOTHING = 'rgb(0 0 0 / 0)'

async function site(ctx: Ctx) {
  const settings = createChosenSettings()
  await settings.read(ctx.db)
  const config = withSettings(environmentConfig, settings)
  const http = bareHttp()
  // A transaction that never commits tells no one of a change.
  const parts = {
    environmentConfig,
    config,
    settings: { ...settings, settled: () => settings.read(ctx.db) },
  }
  await serveBrand({
    ...parts,
    http: http as never,
    db: ctx.db as never,
    contextOf: async () => ctx,
  })
  return {
    http,
    config,
    upload: (name: PictureName, file: Buffer) => choosePicture(ctx, parts, { name, file }),
    reset: (name: PictureName) => chooseSetting(ctx, parts, { name, text: null }),
    of: (name: PictureName) => siteSetting(ctx, environmentConfig, name),
  }
}

const logOf = async (ctx: Ctx) =>
  (await adminLog(ctx, { action: 'change-setting' })).entries.map(
    ({ admin, subject, before, after }) => [admin, subject, before, after],
  )

const bytesIn = async (db: Pick<Database, 'query'>) =>
  db.query<{ name: string; hash: string }>(sql`
    select name, left(encode(sha256(bytes), 'hex'), 16) as hash from site_pictures order by name`)

test('ada uploads a logo: browsers keep it, the log has it, and she goes back to ours', () =>
  as('ada', async (ctx) => {
    const { http, config, upload, reset, of } = await site(ctx)
    const { text } = await upload('logo', await picture(1200, 200, 'crimson', NOTHING))
    expect(await of('logo')).toMatchObject({ text, changedOn: '2026-03-14' })
    expect(config.logo).toEqual({ ...pictureIn('logo', text), width: 480, height: 80 })
    const first = config.logo?.path ?? ''
    const shown = await http.inject(first)
    expect(shown.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ width: 480, height: 80 })

    const second = await upload('logo', await picture(64, 64, 'teal'))
    expect(await bytesIn(ctx.db)).toEqual([{ name: 'logo', hash: second.text.slice(0, 16) }])
    const { http: elsewhere } = await site(ctx)
    const former = await elsewhere.inject(first)
    expect([former.statusCode, former.headers.location]).toEqual([302, config.logo?.path])
    expect((await elsewhere.inject('/brand/share-0123456789abcdef.jpeg')).statusCode).toBe(404)
    await reset('logo')
    expect([config.logo, await bytesIn(ctx.db)]).toEqual([undefined, []])
    const [wide, square] = [text, second.text].map((it) => it.slice(0, 16))
    expect(await logOf(ctx)).toEqual([
      ['Ada', 'Logo', `64 × 64 pixels (${square})`, ''],
      ['Ada', 'Logo', `480 × 80 pixels (${wide})`, `64 × 64 pixels (${square})`],
      ['Ada', 'Logo', '', `480 × 80 pixels (${wide})`],
    ])
  }))

test('a share picture is cut to the size that other sites want', () =>
  as('ada', async (ctx) => {
    const { http, config, upload } = await site(ctx)
    await upload('sharePicture', await picture(700, 1400, 'crimson', NOTHING))
    const shown = await http.inject(config.sharePicture ?? '')
    expect(shown.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(await sharp(shown.rawPayload).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1200,
      height: 630,
    })
  }))

test.each([
  ['a dark logo on nothing needs a ground in the dark theme', '#1c2230', NOTHING, 'dark'],
  ['a white logo on nothing needs one in the light theme', '#ffffff', NOTHING, 'light'],
  ['a colorful logo needs none', 'crimson', NOTHING, undefined],
  ['a dark logo on a ground of its own needs none', '#1c2230', '#ffffff', undefined],
])('%s', (_name, ink, around, tone) =>
  as('ada', async (ctx) => {
    const { config, upload } = await site(ctx)
    await upload('logo', await picture(64, 64, ink, around))
    expect(config.logo?.tone).toBe(tone)
  }),
)

describe('what can’t be uploaded', () => {
  const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  test.each<[string, PictureName, () => Buffer | Promise<Buffer>, number, string]>([
    ['an SVG', 'logo', () => SVG, 415, LOGO_REFUSALS.svg],
    ['a text', 'sharePicture', () => Buffer.from('hello'), 415, LOGO_REFUSALS.otherType],
    [
      'a tiny logo',
      'logo',
      () => picture(64, 16, 'teal'),
      400,
      'This picture is too small: 64 × 16 pixels. It needs at least 32 × 32 pixels.',
    ],
    [
      'a small share picture',
      'sharePicture',
      () => picture(599, 400, 'teal'),
      400,
      'This picture is too small: 599 × 400 pixels. It needs at least 600 × 315 pixels.',
    ],
  ])('%s', (_name, name, file, status, message) =>
    as('ada', async (ctx) => {
      const { upload } = await site(ctx)
      await expect(upload(name, await file())).rejects.toMatchObject({ status, message })
      expect([await bytesIn(ctx.db), await logOf(ctx)]).toEqual([[], []])
    }),
  )

  test('a picture for a setting that has none', () =>
    as('ada', async (ctx) => {
      const { http } = await site(ctx)
      const { statusCode } = await http.inject({
        method: 'POST',
        url: '/api/v1/administration/settings/siteName/picture',
        headers: { 'content-type': 'image/png' },
        payload: await picture(64, 64, 'teal'),
      })
      expect(statusCode).toBe(404)
    }))
})

test('ada and olga upload a logo at once: one stays, and the log has both', async () => {
  const db = outside()
  const { ada, olga } = castOn(await as('vera', async (ctx) => ({ ...ctx, db })))
  const settings = createChosenSettings()
  const parts = { environmentConfig, config: environmentConfig, settings }
  const send = async (ctx: Ctx, ink: string) =>
    choosePicture(ctx, parts, { name: 'logo', file: await picture(64, 64, ink) })
  try {
    const sent = await Promise.all([send(ada, 'crimson'), send(olga, 'teal')])
    const { text } = await siteSetting(ada, environmentConfig, 'logo')
    expect(sent.map((it) => it.text)).toContain(text)
    expect(await bytesIn(db)).toEqual([{ name: 'logo', hash: text.slice(0, 16) }])
    const [last, first] = await logOf(ada)
    expect([first?.[2], last?.[2]]).toEqual(['', first?.[3]])
    expect([first?.[0], last?.[0]].sort()).toEqual(['Ada', 'Olga'])
  } finally {
    await db.query(sql`delete from site_settings`)
    await db.query(sql`delete from site_pictures`)
    await db.query(sql`delete from admin_log where action = 'change-setting'`)
  }
})

test('vera’s browser keeps the style sheet of an accent color, unless it’s another version’s', () =>
  as('ada', async (ctx) => {
    const { http } = await site(ctx)
    const sheet = await http.inject(accentPath('#1d4ed8'))
    expect(sheet.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(sheet.body).toContain(':root,.light{--color-tea:#1d4ed8;')
    const other = await http.inject('/brand/1d4ed8-00000000.css')
    expect([other.headers['cache-control'], other.body]).toEqual(['no-store', sheet.body])
    for (const unknown of ['/brand/1d4ed8.css', '/brand/red-00000000.css', '/brand/x'])
      expect((await http.inject(unknown)).statusCode).toBe(404)
  }))
