/**
 * Makes a picture from an untrusted file: detects its type by content and re-encodes it, which drops whatever else is
 * in it.
 */
import { createHash } from 'node:crypto'
import type { Sharp } from 'sharp'
import { isRefusal, Refusal } from '#app/platform/http/refusal.ts'
import { type Opened, pictureInBitmap, pictureInIcon } from './bitmap.server.ts'
import { LOGO_FILE_MAX, LOGO_REFUSALS } from './logo.ts'

const LOGO_SIDE = 512
/** 5,000 × 5,000 pixels. The decoder gives up on larger pictures. */
const PIXELS_MAX = 25_000_000
/** The table's limit. */
const BYTES_MAX = 262_144
const QUALITIES = [90, 70, 40]

export interface Logo {
  hash: string
  bytes: Buffer
}

const latin = (text: string) => Buffer.from(text, 'latin1')
const refused = (message: string) => new Refusal('unsupported-type', message)

const openers = {
  decoded: (file: Buffer): Opened => ({ input: file }),
  // Browsers don't miss the end mark.
  jpeg: (file: Buffer): Opened => ({ input: Buffer.concat([file, latin('\xff\xd9')]) }),
  ico: pictureInIcon,
  bmp: pictureInBitmap,
}

/** @throws Refusal too-large, unsupported-type */
export const logoOf = (file: Buffer): Promise<Logo> => readPicture(file, smallEnough)

/**
 * @param encode gets the picture upright
 * @throws Refusal too-large, unsupported-type
 */
export async function readPicture<Encoded>(
  file: Buffer,
  encode: (picture: Sharp) => Promise<Encoded>,
): Promise<Encoded> {
  if (file.length > LOGO_FILE_MAX) throw new Refusal('too-large', LOGO_REFUSALS.tooLarge)
  const type = typeOf(file)
  if (!type) throw refused(LOGO_REFUSALS.otherType)
  if (type === 'svg') throw refused(LOGO_REFUSALS.svg)
  const opened = openers[type](file)
  if (!opened) throw refused(LOGO_REFUSALS.damaged)
  try {
    const sharp = await decoder()
    const { input, raw } = opened
    const { width = 0, height = 0 } = await sharp(input, {
      raw,
      limitInputPixels: false,
    }).metadata()
    if (width * height > PIXELS_MAX) throw refused(LOGO_REFUSALS.tooManyPixels(width, height))
    return await encode(
      sharp(input, { raw, limitInputPixels: PIXELS_MAX, failOn: 'error' }).autoOrient(),
    )
  } catch (error) {
    if (isRefusal(error)) throw error
    throw refused(LOGO_REFUSALS.damaged)
  }
}

/** Drops metadata, which sharp does by default. */
async function smallEnough(image: Sharp): Promise<Logo> {
  const small = image.resize({
    width: LOGO_SIDE,
    height: LOGO_SIDE,
    fit: 'inside',
    withoutEnlargement: true,
  })
  for (const quality of QUALITIES) {
    const bytes = await small.clone().webp({ quality }).toBuffer()
    if (bytes.length > BYTES_MAX) continue
    return { hash: pictureHash(bytes), bytes }
  }
  throw refused(LOGO_REFUSALS.notSmall)
}

/** Names a picture by its content. */
export const pictureHash = (bytes: Buffer) =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 16)

type PictureType = 'decoded' | 'jpeg' | 'ico' | 'bmp' | 'svg'

/** Detects the type by the first bytes, whatever the name says. */
function typeOf(file: Buffer): PictureType | undefined {
  const begins = (text: string, at = 0) => file.subarray(at, at + text.length).equals(latin(text))
  if (begins('\x89PNG\r\n\x1a\n')) return 'decoded'
  if (begins('\xff\xd8\xff')) return 'jpeg'
  if (begins('RIFF') && begins('WEBP', 8)) return 'decoded'
  if (begins('GIF87a') || begins('GIF89a')) return 'decoded'
  if (begins('ftyp', 4) && /avi[fs]/.test(file.toString('latin1', 8, BRANDS_END))) return 'decoded'
  if (begins('\0\0\x01\0') || begins('\0\0\x02\0')) return 'ico'
  if (begins('BM')) return 'bmp'
  return SVG.test(file.toString('latin1', 0, SVG_HEAD)) ? 'svg' : undefined
}

const SVG = /^\s*(?:<svg|<(?:\?xml|!--|!doctype svg)[\s\S]*<svg)[\s>]/i
const SVG_HEAD = 1_000
const BRANDS_END = 64

/** Loaded with the first logo; allows only these formats. SVG isn't one, because it can contain scripts and requests. */
async function decoder() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: [
      'VipsForeignLoadPng',
      'VipsForeignLoadJpeg',
      'VipsForeignLoadWebp',
      'VipsForeignLoadNsgif',
      'VipsForeignLoadHeif',
    ],
  })
  return sharp
}
