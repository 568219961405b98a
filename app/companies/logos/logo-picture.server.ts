/** Makes a logo from an untrusted file: detects its type by content and re-encodes it. Files with extra data are refused. */
import { createHash } from 'node:crypto'
import type { Sharp } from 'sharp'
import { isRefusal, Refusal } from '#app/platform/http/refusal.ts'
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

const refused = (message: string) => new Refusal('unsupported-type', message)

/** @throws Refusal too-large, unsupported-type */
export async function logoOf(file: Buffer): Promise<Logo> {
  if (file.length > LOGO_FILE_MAX) throw new Refusal('too-large', LOGO_REFUSALS.tooLarge)
  const type = typeOf(file)
  if (!type) throw refused(LOGO_REFUSALS.otherType)
  const opened = type === 'ico' ? pictureInIcon(file) : { input: file }
  if (!opened || (type !== 'ico' && !endsWithPicture(file, type)))
    throw refused(LOGO_REFUSALS.damaged)
  try {
    const image = (await decoder())(opened.input, {
      ...('raw' in opened && { raw: opened.raw }),
      limitInputPixels: PIXELS_MAX,
      failOn: 'error',
    })
    const { width = 0, height = 0 } = await image.metadata()
    if (width * height > PIXELS_MAX) throw refused(LOGO_REFUSALS.tooManyPixels(width, height))
    return await smallEnough(image)
  } catch (error) {
    if (isRefusal(error)) throw error
    throw refused(LOGO_REFUSALS.unreadable)
  }
}

/** Applies the orientation and drops metadata, which sharp does by default. */
async function smallEnough(image: Sharp): Promise<Logo> {
  const small = image
    .autoOrient()
    .resize({ width: LOGO_SIDE, height: LOGO_SIDE, fit: 'inside', withoutEnlargement: true })
  for (const quality of QUALITIES) {
    const bytes = await small.clone().webp({ quality }).toBuffer()
    if (bytes.length > BYTES_MAX) continue
    return { hash: createHash('sha256').update(bytes).digest('hex').slice(0, 16), bytes }
  }
  throw refused(LOGO_REFUSALS.notSmall)
}

type PictureType = 'png' | 'jpeg' | 'webp' | 'gif' | 'ico'

/** Detects the type by the first bytes, whatever the name says. Never accepts SVG, which can contain scripts. */
function typeOf(file: Buffer): PictureType | undefined {
  const begins = (text: string, at = 0) => file.subarray(at, at + text.length).equals(latin(text))
  if (begins('\x89PNG\r\n\x1a\n')) return 'png'
  if (begins('\xff\xd8\xff')) return 'jpeg'
  if (begins('RIFF') && begins('WEBP', 8)) return 'webp'
  if (begins('GIF87a') || begins('GIF89a')) return 'gif'
  if (begins('\0\0\x01\0')) return 'ico'
  return undefined
}

const latin = (text: string) => Buffer.from(text, 'latin1')

/** An archive, page or script at the end of an image makes two files in one. */
function endsWithPicture(file: Buffer, type: Exclude<PictureType, 'ico'>) {
  if (type === 'png') return pngEnd(file) === file.length
  if (type === 'webp') return file.length >= 12 && file.readUInt32LE(4) + 8 === file.length
  if (type === 'gif') return file.at(-1) === 0x3b
  return file.subarray(-2).equals(latin('\xff\xd9'))
}

/** The end of the last chunk, or -1 if there's none. */
function pngEnd(file: Buffer) {
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 12 + file.readUInt32BE(at)
    if (file.toString('latin1', at + 4, at + 8) === 'IEND') return end
    at = end
  }
  return -1
}

/** Loaded with the first logo; allows only these formats. */
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
    ],
  })
  return sharp
}

/** Reads an ICO file, which has several sizes. Many sites have nothing else. */
interface Opened {
  input: Buffer
  raw?: { width: number; height: number; channels: 4 }
}

const PNG = Buffer.from('\x89PNG', 'latin1')
const ENTRIES_MAX = 64
const HEADER_BYTES = 6
const ENTRY_BYTES = 16
const BITMAP_HEADER_BYTES = 40

/** The largest readable image: a PNG, or a 32-bit bitmap. */
function pictureInIcon(file: Buffer): Opened | undefined {
  if (file.length < HEADER_BYTES) return undefined
  const count = Math.min(file.readUInt16LE(4), ENTRIES_MAX)
  if (file.length < HEADER_BYTES + count * ENTRY_BYTES) return undefined
  const pictures = Array.from({ length: count }, (_, i) => {
    const at = HEADER_BYTES + i * ENTRY_BYTES
    const offset = file.readUInt32LE(at + 12)
    // Zero means 256.
    const width = file.readUInt8(at) || 256
    return { width, bytes: file.subarray(offset, offset + file.readUInt32LE(at + 8)) }
  }).sort((a, b) => b.width - a.width)
  for (const { bytes } of pictures) {
    const opened = bytes.subarray(0, 4).equals(PNG) ? { input: bytes } : bitmap(bytes)
    if (opened) return opened
  }
  return undefined
}

/** Rows go from bottom to top, in BGRA. The header's height includes the mask. */
function bitmap(bytes: Buffer): Opened | undefined {
  if (bytes.length < BITMAP_HEADER_BYTES) return undefined
  const width = bytes.readInt32LE(4)
  const height = bytes.readInt32LE(8) / 2
  const isPlain = bytes.readUInt32LE(0) === BITMAP_HEADER_BYTES && bytes.readUInt32LE(16) === 0
  if (!isPlain || bytes.readUInt16LE(14) !== 32) return undefined
  if (!(width > 0 && width <= 512 && height > 0 && height <= 512 && Number.isInteger(height)))
    return undefined
  const rowBytes = width * 4
  if (bytes.length < BITMAP_HEADER_BYTES + rowBytes * height) return undefined
  const input = Buffer.alloc(rowBytes * height)
  for (let y = 0; y < height; y++) {
    const from = BITMAP_HEADER_BYTES + (height - 1 - y) * rowBytes
    bytes.copy(input, y * rowBytes, from, from + rowBytes)
  }
  for (let i = 0; i < input.length; i += 4) {
    const blue = input[i] as number
    input[i] = input[i + 2] as number
    input[i + 2] = blue
  }
  return { input, raw: { width, height, channels: 4 } }
}
