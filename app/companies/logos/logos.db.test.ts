import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { describe, expect, test, vi } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { TaskParts } from '#app/api/feature.server.ts'
import { DAY_MS } from '#app/platform/days.server.ts'
import { createPublicFetch, openWeb } from '#app/platform/http/public-fetch.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { bareHttp } from '#tests/support/api.ts'
import { withDatabase } from '#tests/support/database.ts'
import { insertCompanies } from '../company-commands.server.ts'
import { companyById } from '../company-queries.server.ts'
import { revertEdit } from '../edits/edit-commands.server.ts'
import { companyEdits } from '../edits/edit-queries.server.ts'
import { companies } from '../feature.server.ts'
import { importing } from '../importing/feature.server.ts'
import { importCompanies } from '../importing/import-commands.server.ts'
import { pictureInBitmap, pictureInIcon } from './bitmap.server.ts'
import { LOGO_REFUSALS } from './logo.ts'
import { serveLogos } from './logo-api.server.ts'
import {
  LOGO_FETCH_TASK,
  PORTION,
  requestLogoFetch,
  searchMissingLogos,
  uploadLogo,
} from './logo-commands.server.ts'
import { logoOf } from './logo-picture.server.ts'
import { fetchLogo, iconsIn } from './logo-task.server.ts'

const { as } = withDatabase()

const picture = (side = 64, background = '#8a4b1f') =>
  sharp({ create: { width: side, height: side, channels: 3, background } })
const png = (side?: number, background?: string) => picture(side, background).png().toBuffer()

const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
)

const stored = async ({ db }: Ctx) =>
  (
    await db.query<{ bytes: string; hash: string }>(
      sql`select encode(bytes, 'base64') as bytes, hash from company_logos`,
    )
  ).map(({ bytes, hash }) => ({ bytes: Buffer.from(bytes, 'base64'), hash }))

describe('a picture', () => {
  test.each(['png', 'jpeg', 'webp', 'gif'] as const)('%s becomes WebP', async (format) => {
    const { bytes, hash } = await logoOf(await picture().toFormat(format).toBuffer())
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 64, height: 64 })
    expect(hash).toMatch(/^[0-9a-f]{16}$/)
  })

  test('a picture of 4,000 pixels becomes one of 512 without its metadata', async () => {
    const file = await sharp({
      create: { width: 4000, height: 2000, channels: 3, background: 'teal' },
    })
      .withExif({ IFD0: { Copyright: 'Dana of the third floor' } })
      .jpeg()
      .toBuffer()
    expect(file.toString('latin1')).toContain('Dana of the third floor')
    const { bytes } = await logoOf(file)
    const made = await sharp(bytes).metadata()
    expect(made).toMatchObject({ width: 512, height: 256 })
    expect([made.exif, made.icc, made.xmp]).toEqual([undefined, undefined, undefined])
    expect(bytes.toString('latin1')).not.toContain('Dana')
  })

  test('an ICO file gives its largest picture, a PNG or a bitmap', async () => {
    const [small, large] = [await png(16), await png(48)]
    const directory = Buffer.alloc(6 + 32)
    directory.writeUInt16LE(1, 2)
    directory.writeUInt16LE(2, 4)
    for (const [i, [side, bytes, offset]] of [
      [16, small, 38] as const,
      [48, large, 38 + small.length] as const,
    ].entries()) {
      directory.writeUInt8(side, 6 + i * 16)
      directory.writeUInt32LE(bytes.length, 6 + i * 16 + 8)
      directory.writeUInt32LE(offset, 6 + i * 16 + 12)
    }
    const { bytes } = await logoOf(Buffer.concat([directory, small, large]))
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 48 })

    const bitmap = Buffer.alloc(22 + 40 + 2 * 2 * 4, 255)
    bitmap.fill(0, 0, 62)
    bitmap.writeUInt16LE(1, 2)
    bitmap.writeUInt16LE(1, 4)
    bitmap.writeUInt8(2, 6)
    bitmap.writeUInt32LE(56, 14)
    bitmap.writeUInt32LE(22, 18)
    bitmap.writeUInt32LE(40, 22)
    bitmap.writeInt32LE(2, 26)
    bitmap.writeInt32LE(4, 30)
    bitmap.writeUInt16LE(32, 36)
    // The first row in the file is the lowest; blue comes first.
    bitmap.set([255, 0, 0, 255], 62)
    const raw = await sharp((await logoOf(bitmap)).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) => (y * raw.info.width + x) * raw.info.channels
    const [red = 0, , blue = 0] = raw.data.subarray(at(0, 1))
    expect(blue).toBeGreaterThan(red + 50)
  })

  const tail = Buffer.from('<script>alert(document.domain)</script>')
  const cut = async (format: 'png' | 'jpeg' | 'webp' | 'gif', bytes: number) =>
    (await picture().toFormat(format).toBuffer()).subarray(0, -bytes)
  const frames = sharp(Buffer.alloc(20 * 40 * 3, 99), {
    raw: { width: 20, height: 40, channels: 3, pageHeight: 20 },
  })
  const turned = picture().resize(30, 60).withMetadata({ orientation: 6 })

  test.each<[string, () => Promise<Buffer>, number]>([
    ...(['png', 'jpeg', 'webp', 'gif'] as const).flatMap(
      (format): [string, () => Promise<Buffer>, number][] => [
        [
          `a ${format} with something behind it`,
          async () => Buffer.concat([await picture().toFormat(format).toBuffer(), tail]),
          64,
        ],
        [
          `a ${format} with a byte behind it`,
          async () => Buffer.concat([await picture().toFormat(format).toBuffer(), Buffer.alloc(1)]),
          64,
        ],
      ],
    ),
    ['a JPEG without its end mark', () => cut('jpeg', 2), 64],
    ['a GIF without its end mark', () => cut('gif', 1), 64],
    ['AVIF', () => picture().avif().toBuffer(), 64],
    ['a JPEG for printers', () => picture().toColourspace('cmyk').jpeg().toBuffer(), 64],
    ['a JPEG that loads gradually', () => picture().jpeg({ progressive: true }).toBuffer(), 64],
    ['a PNG that loads gradually', () => picture().png({ progressive: true }).toBuffer(), 64],
    ['a PNG of 16 bits', () => picture().toColourspace('rgb16').png().toBuffer(), 64],
    ['a PNG of two colors', () => picture().png({ colours: 2 }).toBuffer(), 64],
    ['a turned JPEG', () => turned.clone().jpeg().toBuffer(), 60],
    ['a turned PNG', () => turned.clone().png().toBuffer(), 60],
    [
      'a moving GIF',
      () =>
        frames
          .clone()
          .gif({ delay: [100, 100] })
          .toBuffer(),
      20,
    ],
    [
      'a moving WebP',
      () =>
        frames
          .clone()
          .webp({ delay: [100, 100] })
          .toBuffer(),
      20,
    ],
  ])('%s is a picture, and nothing else of it stays', async (_, file, width) => {
    const { bytes } = await logoOf(await file())
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width })
    expect(bytes.toString('latin1')).not.toContain('script')
  })

  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ['an SVG', () => SVG, LOGO_REFUSALS.svg],
    ['an SVG behind a space', () => Buffer.concat([Buffer.from('\n '), SVG]), LOGO_REFUSALS.svg],
    [
      'a page',
      () => Buffer.from('<!doctype html><script>alert(1)</script>'),
      LOGO_REFUSALS.otherType,
    ],
    ['a TIFF', () => picture().tiff().toBuffer(), LOGO_REFUSALS.otherType],
    ['nothing', () => Buffer.alloc(0), LOGO_REFUSALS.otherType],
    [
      'a program that begins like a GIF',
      () => Buffer.from('GIF89a=1;alert(1);//;'),
      LOGO_REFUSALS.damaged,
    ],
    ['the beginning of a PNG', async () => (await png()).subarray(0, 60), LOGO_REFUSALS.damaged],
    ['the beginning of a JPEG', () => cut('jpeg', 200), LOGO_REFUSALS.damaged],
    [
      'an ICO without a picture',
      () => Buffer.from([0, 0, 1, 0, 9, 0, 0, 0]),
      LOGO_REFUSALS.damaged,
    ],
    [
      'an ICO with an SVG in it',
      () => Buffer.concat([Buffer.from([0, 0, 1, 0, 0, 0]), SVG]),
      LOGO_REFUSALS.damaged,
    ],
    ['the beginning of a BMP', () => bmp({ bits: 24 }).subarray(0, 60), LOGO_REFUSALS.damaged],
    [
      '10,000 × 10,000 points',
      () => picture(10_000).png({ compressionLevel: 9 }).toBuffer(),
      LOGO_REFUSALS.tooManyPixels(10_000, 10_000),
    ],
  ])('a file isn’t a picture: %s', async (_, file, message) => {
    await expect(logoOf(await file())).rejects.toMatchObject({ status: 415, message })
  })

  test('a picture of more than 2 MB is refused before it’s decoded', async () => {
    await expect(logoOf(Buffer.alloc(2 * 1024 * 1024 + 1))).rejects.toMatchObject({ status: 413 })
  })
})

/** Red and green above blue and white. */
const PIXELS = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
] as const

interface BitmapKind {
  bits: number
  compression?: number
  /** 12, 40 or 124 bytes. */
  header?: number
  isTopDown?: boolean
  /** Only the upper left pixel isn't covered. */
  isIcon?: boolean
}

/** A bitmap of 2 × 2 pixels, as Windows writes it. */
function dib({
  bits,
  compression = 0,
  header = 40,
  isTopDown = false,
  isIcon = false,
}: BitmapKind) {
  const head = Buffer.alloc(header)
  head.writeUInt32LE(header, 0)
  if (header === 12)
    for (const [i, value] of [2, 2, 1, bits].entries()) head.writeUInt16LE(value, 4 + i * 2)
  else {
    head.writeInt32LE(2, 4)
    head.writeInt32LE(isTopDown ? -2 : isIcon ? 4 : 2, 8)
    head.writeUInt16LE(bits, 14)
    head.writeUInt32LE(compression, 16)
  }
  const masks = compression === 3 ? [0xf800, 0x07e0, 0x001f] : []
  if (header > 40) for (const [i, mask] of masks.entries()) head.writeUInt32LE(mask, 40 + i * 4)
  const maskBytes = header === 40 ? masks.flatMap((mask) => [mask & 255, mask >> 8, 0, 0]) : []
  const palette =
    bits > 8
      ? []
      : Array.from({ length: 2 ** bits }, (_, i) => {
          const [red, green, blue] = PIXELS[i % 4] ?? PIXELS[0]
          return header === 12 ? [blue, green, red] : [blue, green, red, 0]
        }).flat()
  const pixel = (i: number) => {
    const [red, green, blue] = PIXELS[i] ?? PIXELS[0]
    if (bits === 16 && compression === 3)
      return [((green >> 2) << 5) | ((red >> 3) << 11) | (blue >> 3)].flatMap((value) => [
        value & 255,
        value >> 8,
      ])
    if (bits === 16)
      return [((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3)].flatMap((value) => [
        value & 255,
        value >> 8,
      ])
    return bits === 24 ? [blue, green, red] : [blue, green, red, isIcon ? 255 : 0]
  }
  const row = (a: number, b: number) => {
    if (compression === 1) return [1, a, 1, b, 0, 0]
    if (compression === 2) return [2, a * 16 + b, 0, 0]
    const packed =
      bits === 1
        ? [(a << 7) | (b << 6)]
        : bits === 4
          ? [a * 16 + b]
          : bits === 8
            ? [a, b]
            : [...pixel(a), ...pixel(b)]
    return [...packed, ...Array((4 - (packed.length % 4)) % 4).fill(0)]
  }
  const rows = bits === 1 ? [row(0, 1), row(1, 0)] : [row(0, 1), row(2, 3)]
  const mask = isIcon
    ? [
        [0b01000000, 0, 0, 0],
        [0b11000000, 0, 0, 0],
      ].reverse()
    : []
  return Buffer.concat([
    head,
    Buffer.from([
      ...maskBytes,
      ...palette,
      ...(isTopDown ? rows : rows.reverse()).flat(),
      ...mask.flat(),
    ]),
  ])
}

function bmp(kind: BitmapKind) {
  const bitmap = dib(kind)
  const head = Buffer.alloc(14)
  head.write('BM', 'latin1')
  head.writeUInt32LE(14 + bitmap.length, 2)
  const pixels =
    kind.bits === 1 ? 8 : kind.compression ? undefined : 2 * Math.ceil((2 * kind.bits) / 32) * 4
  head.writeUInt32LE(pixels === undefined ? 0 : 14 + bitmap.length - pixels, 10)
  return Buffer.concat([head, bitmap])
}

function ico(kind: BitmapKind, type = 1) {
  const bitmap = dib({ ...kind, isIcon: true })
  const head = Buffer.alloc(22)
  head.writeUInt16LE(type, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(2, 6)
  head.writeUInt32LE(bitmap.length, 14)
  head.writeUInt32LE(22, 18)
  return Buffer.concat([head, bitmap])
}

/** Colors as the bitmap has them, before WebP blurs them. */
const colorsIn = ({ input }: { input: Buffer }) =>
  Array.from({ length: 4 }, (_, i) => [...input.subarray(i * 4, i * 4 + 4)])
const OPAQUE = PIXELS.map((color) => [...color, 255])

describe('a bitmap', () => {
  test.each<BitmapKind>([
    { bits: 1 },
    { bits: 4 },
    { bits: 4, compression: 2 },
    { bits: 8 },
    { bits: 8, compression: 1 },
    { bits: 8, header: 12 },
    { bits: 16 },
    { bits: 16, compression: 3 },
    { bits: 16, compression: 3, header: 124 },
    { bits: 24 },
    { bits: 24, header: 12 },
    { bits: 24, isTopDown: true },
    { bits: 32 },
    { bits: 32, header: 124 },
  ])('a bitmap of %j looks as Windows shows it', async (kind) => {
    const two = [OPAQUE[0], OPAQUE[1], OPAQUE[1], OPAQUE[0]]
    const opened = pictureInBitmap(bmp(kind))
    expect(opened && colorsIn(opened)).toEqual(kind.bits === 1 ? two : OPAQUE)
    expect(await sharp((await logoOf(bmp(kind))).bytes).metadata()).toMatchObject({ width: 2 })
  })

  test.each([1, 4, 8, 16, 24, 32])(
    'an icon’s bitmap of %i bits has its transparency',
    async (bits) => {
      const opened = pictureInIcon(ico({ bits }))
      const alphas = opened && colorsIn(opened).map(([, , , alpha]) => alpha)
      expect(alphas).toEqual(bits === 32 ? [255, 255, 255, 255] : [255, 0, 0, 0])
      expect(opened && colorsIn(opened)[0]).toEqual(OPAQUE[0])
      for (const type of [1, 2])
        expect(await sharp((await logoOf(ico({ bits }, type))).bytes).metadata()).toMatchObject({
          width: 2,
        })
    },
  )
})

describe('uploading', () => {
  test('administrators upload a logo, which applies at once and is in the history', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const { logoUrl } = await uploadLogo(ctx, id, await png())
      const [logo] = await stored(ctx)
      expect(logoUrl).toBe(`/logos/${id}-${logo?.hash}.webp`)
      expect((await companyById(ctx, id)).logoUrl).toBe(logoUrl)
      expect((await companyEdits(ctx, id)).edits).toMatchObject([
        { state: 'applied', fields: ['logo'], changes: { logo: { from: null, to: logoUrl } } },
      ])
      // The same picture again is no change.
      await uploadLogo(ctx, id, await png())
      expect((await companyEdits(ctx, id)).edits).toHaveLength(1)
    }))

  test('an upload changes nothing if it’s refused or the company is deleted', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await expect(uploadLogo(ctx, id, SVG)).rejects.toMatchObject({ status: 415 })
      expect(await companyById(ctx, id)).toMatchObject({ logoUrl: null })
      await expect(
        uploadLogo(ctx, '00000000-0000-4000-8000-000000000bad', await png()),
      ).rejects.toMatchObject({ status: 404 })
      expect(await stored(ctx)).toEqual([])
    }))

  test('a first logo can be undone, but a replacement can’t', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await uploadLogo(ctx, id, await png())
      const first = (await companyEdits(ctx, id)).edits[0]?.id as number
      await uploadLogo(ctx, id, await png(64, 'teal'))
      const second = (await companyEdits(ctx, id)).edits[0]?.id as number
      for (const edit of [first, second])
        await expect(revertEdit(ctx, edit)).rejects.toMatchObject({ status: 409 })
      expect((await companyById(ctx, id)).logoUrl).not.toBeNull()
    }))
})

describe('at /logos', () => {
  const site = async (ctx: Ctx) => {
    const app = bareHttp()
    await serveLogos(app, ctx.db, async () => ctx)
    return app
  }

  test('/logos caches a logo forever under its content’s hash, and serves it only as a picture', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const app = await site(ctx)
      const sent = await app.inject({
        method: 'POST',
        url: `/api/v1/companies/${id}/logo`,
        headers: { 'content-type': 'image/png' },
        payload: await png(),
      })
      expect(sent.statusCode).toBe(200)
      const { logoUrl } = sent.json()
      const shown = await app.inject(logoUrl)
      expect(shown.statusCode).toBe(200)
      expect(shown.headers).toMatchObject({
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      expect((await sharp(shown.rawPayload).metadata()).format).toBe('webp')
      await uploadLogo(ctx, id, await png(64, 'teal'))
      const former = await app.inject(logoUrl)
      expect(former.statusCode).toBe(302)
      expect(former.headers.location).toBe((await companyById(ctx, id)).logoUrl)
      for (const file of ['x', `${id}.webp`, `${id}-0000000000000000.svg`])
        expect((await app.inject(`/logos/${file}`)).statusCode).toBe(404)
      await app.close()
    }))

  test('/logos accepts only a picture of at most 2 MB', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const app = await site(ctx)
      const send = async (type: string, payload: Buffer, company = id) =>
        (
          await app.inject({
            method: 'POST',
            url: `/api/v1/companies/${company}/logo`,
            headers: { 'content-type': type },
            payload,
          })
        ).statusCode
      expect(await send('image/svg+xml', SVG)).toBe(415)
      expect(await send('image/png', SVG)).toBe(415)
      expect(await send('text/html', Buffer.from('<p>'))).toBe(415)
      expect(await send('application/json', Buffer.from('{}'))).toBe(415)
      expect(await send('image/png', Buffer.alloc(2 * 1024 * 1024 + 1))).toBe(413)
      expect(await send('image/png', Buffer.alloc(0))).toBe(400)
      expect(await send('image/png', await png(), 'not-an-id')).toBe(404)
      await app.close()
    }))
})

describe('fetching from the company’s own site', () => {
  /** A company whose site is on this machine, let through for the test. */
  async function withSite(
    ctx: Ctx,
    files: Record<string, Buffer | string>,
    work: (id: string, fetch: () => Promise<void>, asked: string[]) => Promise<void>,
  ) {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      const file = files[request.url ?? '']
      if (file === undefined) response.writeHead(404)
      response.end(file)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const id = await giveErinHerCompany(ctx.db)
    await ctx.db.query(sql`update companies set website = ${`http://erin.test:${port}/`}`)
    const fetchPublic = createPublicFetch({
      isAllowed: (address) => address === '127.0.0.1',
      lookup: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
      ports: [String(port)],
    })
    try {
      await work(id, () => fetchLogo(ctx, { companyId: id }, fetchPublic), asked)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }

  test('a job fetches a logo from the company’s own site when an administrator asks', () =>
    as('ada', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await expect(requestLogoFetch(ctx, id, true)).rejects.toMatchObject({ status: 400 })
      await ctx.db.query(sql`update companies set website = 'https://acme.com'`)
      await requestLogoFetch(ctx, id, true)
      expect(await ctx.db.query(sql`select kind, payload from job_queue`)).toEqual([
        { kind: LOGO_FETCH_TASK, payload: { companyId: id } },
      ])
    }))

  test('a job takes the page’s largest icon, and the history says so', () =>
    as('ada', async (ctx) =>
      withSite(
        ctx,
        {
          '/': '<link rel="icon" sizes="32x32" href="/s.png"><link rel="apple-touch-icon" href="b.png">',
          '/s.png': await png(32),
          '/b.png': await png(180),
        },
        async (id, fetch, asked) => {
          await fetch()
          expect(asked).toEqual(['/', '/b.png'])
          const [logo] = await stored(ctx)
          expect(await sharp(logo?.bytes).metadata()).toMatchObject({ width: 180 })
          expect((await companyEdits(ctx, id)).edits).toMatchObject([
            { by: 'administrator', state: 'applied', fields: ['logo'] },
          ])
        },
      ),
    ))

  test('a job tries the next icon if one isn’t a picture, and the favicon last', () =>
    as('ada', async (ctx) =>
      withSite(
        ctx,
        {
          '/': '<link rel="icon" sizes="512x512" href="/trick.png"><link rel="icon" href="/a.svg">',
          '/trick.png': SVG,
          '/favicon.ico': await png(16),
        },
        async (id, fetch, asked) => {
          await fetch()
          expect(asked).toEqual(['/', '/trick.png', '/favicon.ico'])
          expect((await companyById(ctx, id)).logoUrl).not.toBeNull()
        },
      ),
    ))

  test('a site without an icon leaves the company unchanged', () =>
    as('ada', async (ctx) =>
      withSite(ctx, { '/': 'Hello' }, async (id, fetch) => {
        await fetch()
        expect((await companyById(ctx, id)).logoUrl).toBeNull()
        expect((await companyEdits(ctx, id)).edits).toEqual([])
      }),
    ))

  test('a job never requests a website at an internal address', () =>
    as('ada', async (ctx) =>
      withSite(ctx, { '/': 'secret', '/favicon.ico': await png(16) }, async (id, _, asked) => {
        await ctx.db.query(sql`
          update companies set website = replace(website, 'erin.test', '127.0.0.1')`)
        await fetchLogo(ctx, { companyId: id })
        expect(asked).toEqual([])
        expect((await companyById(ctx, id)).logoUrl).toBeNull()
      }),
    ))

  test('Spec §5: companies without a logo get theirs tried, some at a time, and again after a pause', () =>
    as('ada', async (ctx) => {
      await insertCompanies(ctx, [
        ...Array.from({ length: PORTION + 2 }, (_, i) => ({
          name: `Acme ${i}`,
          category: 'Tea',
          website: `https://acme-${i}.example`,
        })),
        { name: 'No site', category: 'Tea' },
        { name: 'Made up', category: 'Tea', website: 'https://made-up.example', isDemo: true },
        { name: 'Has one', category: 'Tea', website: 'https://has-one.example' },
      ])
      await ctx.db.query(sql`update companies set logo_url = '/logos/x' where name = 'Has one'`)
      const portion = async (days = 0) => {
        await ctx.db.query(sql`delete from job_queue`)
        const now = () => new Date(ctx.now().getTime() + days * DAY_MS)
        await searchMissingLogos({ ...ctx, now }, ctx.db)
        const jobs = await ctx.db.query<{ name: string; isFirst: boolean }>(sql`
          select c.name, (payload ->> 'isFirst')::boolean as "isFirst"
            from job_queue join companies c on c.id = (payload ->> 'companyId')::uuid
           where kind = ${LOGO_FETCH_TASK}`)
        expect(jobs.every(({ isFirst }) => isFirst)).toBe(true)
        return jobs.map(({ name }) => name)
      }
      const [first, second] = [await portion(), await portion()]
      expect([first.length, second.length]).toEqual([PORTION, 2])
      expect(new Set([...first, ...second]).size).toBe(PORTION + 2)
      expect([...first, ...second].every((name) => name.startsWith('Acme'))).toBe(true)
      expect(await portion()).toEqual([])
      expect(await portion(29)).toEqual([])
      expect(await portion(30)).toHaveLength(PORTION)
    }))

  test('LOGO_SEARCH=off sends no request, not even for an import or an administrator', () =>
    as('ada', async (ctx) => {
      const asked: string[] = []
      const server = createServer((request, response) => {
        asked.push(request.url ?? '')
        response.end()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      vi.spyOn(openWeb, 'isAllowed').mockReturnValue(true)
      vi.spyOn(openWeb, 'lookup').mockImplementation((_name, _options, callback) =>
        callback(null, [{ address: '127.0.0.1', family: 4 }]),
      )
      openWeb.ports.push(String(port))
      const rows = [
        { name: 'Acme', logo_url: `http://cdn.test:${port}/logo.png` },
        { name: 'Zenith', website: 'https://zenith.example' },
      ]
      const reports = importCompanies(
        ctx,
        {},
        rows.map((given, i) => ({ row: i + 1, given })),
        { total: rows.length },
      )
      for await (const _report of reports);
      await ctx.db.query(sql`update companies set website = ${`http://zenith.test:${port}/`}`)
      const jobs = await ctx.db.query<{ kind: string; payload: unknown }>(
        sql`select kind, payload from job_queue where kind like '%logo%'`,
      )
      /** Everything that's scheduled, and what was asked for by queued work, on a site with this setting. */
      async function requestsWith(LOGO_SEARCH: string) {
        asked.length = 0
        const scheduled: string[] = []
        const handlers = new Map<string, (payload: unknown) => Promise<void>>()
        const queue = {
          handle: (kind: string, work: (payload: unknown) => Promise<void>) =>
            handlers.set(kind, work),
          every: (kind: string) => scheduled.push(kind),
        }
        const parts = { queue, base: ctx, config: readConfig({ LOGO_SEARCH }) }
        for (const feature of [companies, importing]) feature.tasks?.(parts as unknown as TaskParts)
        for (const { kind, payload } of jobs) await handlers.get(kind)?.(payload)
        return { asked: [...asked], searches: scheduled.includes('search-missing-logos') }
      }
      expect(jobs.map(({ kind }) => kind).sort()).toEqual(['imported-logo', 'logo-fetch'])
      const on = await requestsWith('on')
      expect(on).toMatchObject({ searches: true })
      expect(on.asked).toEqual(expect.arrayContaining(['/logo.png', '/', '/favicon.ico']))
      expect(await requestsWith('off')).toEqual({ asked: [], searches: false })
      openWeb.ports.pop()
      vi.restoreAllMocks()
      server.closeAllConnections()
      server.close()

      const id = await giveErinHerCompany(ctx.db)
      await ctx.db.query(sql`update companies set website = 'https://acme.com'`)
      await expect(requestLogoFetch(ctx, id, false)).rejects.toThrow(
        'This site doesn’t fetch logos',
      )
    }))

  test('a batch keeps a logo added meanwhile', () =>
    as('ada', async (ctx) =>
      withSite(ctx, { '/favicon.ico': await png(16) }, async (id, _, asked) => {
        await uploadLogo(ctx, id, await png())
        await fetchLogo(ctx, { companyId: id, isFirst: true })
        expect(asked).toEqual([])
      }),
    ))

  test('only pictures on the public web are tried', () => {
    const page = `<link rel="SHORTCUT ICON" href="/f.ico"><link rel="stylesheet" href="/x.css">
      <link rel="icon" type="image/svg+xml" href="/a"><link rel="icon" sizes="any" href="http://["><link
      rel="apple-touch-icon-precomposed" sizes="152x152" href="//cdn.test/i.png"><link rel="icon" href="/f.ico">`
    expect(iconsIn(page, 'https://erin.test/about')).toEqual([
      'https://cdn.test/i.png',
      'https://erin.test/f.ico',
    ])
  })
})
