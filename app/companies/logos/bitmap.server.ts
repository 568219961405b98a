/** Reads what our decoder can't: BMP and ICO files, as browsers show them. */

export interface Opened {
  input: Buffer
  raw?: { width: number; height: number; channels: 4 }
}

const PNG = Buffer.from('\x89PNG', 'latin1')
const ENTRIES_MAX = 64
const ICON_HEADER = 6
const ENTRY = 16

/** The largest readable picture of an ICO or CUR file: a PNG, or a bitmap. */
export function pictureInIcon(file: Buffer): Opened | undefined {
  if (file.length < ICON_HEADER) return undefined
  const count = Math.min(file.readUInt16LE(4), ENTRIES_MAX)
  if (file.length < ICON_HEADER + count * ENTRY) return undefined
  const pictures = Array.from({ length: count }, (_, i) => {
    const at = ICON_HEADER + i * ENTRY
    const offset = file.readUInt32LE(at + 12)
    const bytes = file.subarray(offset, offset + file.readUInt32LE(at + 8))
    const isPng = bytes.subarray(0, 4).equals(PNG)
    // Zero means 256.
    return { width: file.readUInt8(at) || 256, bits: isPng ? 32 : bitsOf(bytes), bytes, isPng }
  }).sort((a, b) => b.width - a.width || b.bits - a.bits)
  for (const { bytes, isPng } of pictures) {
    const opened = isPng ? { input: bytes } : bitmap(bytes, { isIcon: true })
    if (opened) return opened
  }
  return undefined
}

const FILE_HEADER = 14

export function pictureInBitmap(file: Buffer): Opened | undefined {
  if (file.length < FILE_HEADER) return undefined
  const pixelsAt = file.readUInt32LE(10) - FILE_HEADER
  return bitmap(file.subarray(FILE_HEADER), { pixelsAt })
}

const CORE_HEADER = 12
const INFO_HEADER = 40
const SIDE_MAX = 5_000

const bitsOf = (bytes: Buffer) => (bytes.length < INFO_HEADER ? 0 : bytes.readUInt16LE(14))

interface Head {
  width: number
  height: number
  isTopDown: boolean
  bits: number
  /** 1 and 2 are run lengths. */
  compression: number
  /** Of red, green, blue and alpha, in a pixel of 16 to 32 bits. */
  masks: number[]
  palette: Buffer
  paletteStep: 3 | 4
  pixelsAt: number
}

interface BitmapPlace {
  /** With a mask below, which the height includes. */
  isIcon?: boolean
  pixelsAt?: number
}

function headOf(bytes: Buffer, { isIcon = false, pixelsAt }: BitmapPlace): Head | undefined {
  if (bytes.length < CORE_HEADER) return undefined
  const size = bytes.readUInt32LE(0)
  const isCore = size === CORE_HEADER
  if (!isCore && (size < INFO_HEADER || size > 124 || bytes.length < size)) return undefined
  const width = isCore ? bytes.readUInt16LE(4) : bytes.readInt32LE(4)
  const tall = isCore ? bytes.readUInt16LE(6) : bytes.readInt32LE(8)
  const height = Math.abs(tall) / (isIcon ? 2 : 1)
  const bits = bytes.readUInt16LE(isCore ? 10 : 14)
  const compression = isCore ? 0 : bytes.readUInt32LE(16)
  const isIn = (side: number) => Number.isInteger(side) && side > 0 && side <= SIDE_MAX
  if (!isIn(width) || !isIn(height) || ![1, 4, 8, 16, 24, 32].includes(bits)) return undefined
  const hasMasks = compression === 3 || compression === 6
  const isPacked = (compression === 1 && bits === 8) || (compression === 2 && bits === 4)
  if (compression !== 0 && !isPacked && !(hasMasks && bits >= 16)) return undefined
  const maskBytes = size > INFO_HEADER ? 0 : compression === 3 ? 12 : compression === 6 ? 16 : 0
  const paletteAt = size + maskBytes
  if (bytes.length < paletteAt) return undefined
  const used = isCore ? 0 : bytes.readUInt32LE(32)
  const colors = bits <= 8 ? Math.min(used || 2 ** bits, 2 ** bits) : Math.min(used, 256)
  const paletteStep = isCore ? 3 : 4
  const paletteEnd = paletteAt + colors * paletteStep
  const hasAlpha = compression === 6 || (hasMasks && size >= 56)
  const given = [40, 44, 48, ...(hasAlpha ? [52] : [])].map((at) =>
    hasMasks ? bytes.readUInt32LE(at) : 0,
  )
  return {
    width,
    height,
    isTopDown: tall < 0,
    bits,
    compression,
    masks: hasMasks ? given : bits === 16 ? MASKS_16 : isIcon && bits === 32 ? MASKS_32A : MASKS_32,
    palette: bytes.subarray(paletteAt, paletteEnd),
    paletteStep,
    pixelsAt: pixelsAt !== undefined && pixelsAt >= paletteAt ? pixelsAt : paletteEnd,
  }
}

const MASKS_16 = [0x7c00, 0x03e0, 0x001f]
const MASKS_32 = [0xff0000, 0x00ff00, 0x0000ff]
const MASKS_32A = [...MASKS_32, 0xff000000]

/** @returns RGBA from top to bottom, or undefined if it's damaged */
function bitmap(bytes: Buffer, place: BitmapPlace): Opened | undefined {
  const head = headOf(bytes, place)
  if (!head) return undefined
  const { width, height, bits, compression, pixelsAt } = head
  const isPacked = compression === 1 || compression === 2
  const pixels = isPacked ? unpacked(bytes.subarray(pixelsAt), head) : bytes.subarray(pixelsAt)
  const depth = isPacked ? 8 : bits
  const rowBytes = strideOf(width, depth)
  if (pixels.length < rowBytes * height) return undefined
  const input = Buffer.alloc(width * height * 4)
  const colorAt = bits <= 8 ? paletteReader(head, depth) : pixelReader(head)
  for (let y = 0; y < height; y++) {
    const row = (head.isTopDown ? y : height - 1 - y) * rowBytes
    for (let x = 0; x < width; x++)
      input.writeUInt32BE(colorAt(pixels, row, x) >>> 0, (y * width + x) * 4)
  }
  if (place.isIcon) applyMask(input, pixels.subarray(rowBytes * height), head)
  return { input, raw: { width, height, channels: 4 } }
}

/** Rows end at a multiple of four bytes. */
const strideOf = (width: number, bits: number) => Math.ceil((width * bits) / 32) * 4

/** Reads RGBA of a pixel. */
type ReadColor = (pixels: Buffer, row: number, x: number) => number

function paletteReader({ palette, paletteStep }: Head, bits: number): ReadColor {
  const perByte = 8 / bits
  return (pixels, row, x) => {
    const byte = pixels[row + Math.floor(x / perByte)] ?? 0
    const index = (byte >> (8 - bits * ((x % perByte) + 1))) & (2 ** bits - 1)
    const at = index * paletteStep
    if (at + 3 > palette.length) return 0x000000ff
    const blue = palette[at] ?? 0
    const green = palette[at + 1] ?? 0
    const red = palette[at + 2] ?? 0
    return red * 2 ** 24 + green * 2 ** 16 + blue * 2 ** 8 + 255
  }
}

function pixelReader({ bits, masks }: Head): ReadColor {
  const step = bits / 8
  const parts = masks.map((mask) => {
    const low = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask)
    return { mask, low, max: mask >>> low }
  })
  const partOf = (pixel: number, i: number, none: number) => {
    const { mask, low, max } = parts[i] ?? { mask: 0, low: 0, max: 0 }
    return max === 0 ? none : Math.round((((pixel & mask) >>> low) / max) * 255)
  }
  return (pixels, row, x) => {
    const pixel = pixels.readUIntLE(row + x * step, step)
    const color = partOf(pixel, 0, 0) * 2 ** 24 + partOf(pixel, 1, 0) * 2 ** 16
    return color + partOf(pixel, 2, 0) * 2 ** 8 + partOf(pixel, 3, 255)
  }
}

/** Pictures with 32 bits have their own transparency, unless it's empty. */
function applyMask(input: Buffer, mask: Buffer, { width, height, bits }: Head) {
  const isEmpty = bits === 32 && input.every((byte, i) => i % 4 < 3 || byte === 0)
  if (bits === 32 && !isEmpty) return
  const rowBytes = strideOf(width, 1)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const byte = mask[(height - 1 - y) * rowBytes + (x >> 3)] ?? 0
      input[(y * width + x) * 4 + 3] = (byte >> (7 - (x & 7))) & 1 ? 0 : 255
    }
}

/** Run lengths become a byte per pixel. */
function unpacked(packed: Buffer, { width, height, bits }: Head): Buffer {
  const rowBytes = strideOf(width, 8)
  const pixels = Buffer.alloc(rowBytes * height)
  let x = 0
  let y = 0
  const put = (color: number) => {
    if (x < width && y < height) pixels[y * rowBytes + x] = color
    x++
  }
  const half = (byte: number, i: number) =>
    bits === 8 ? byte : i % 2 === 0 ? byte >> 4 : byte & 15
  for (let at = 0; at + 1 < packed.length && y < height; ) {
    const [count = 0, value = 0] = packed.subarray(at, at + 2)
    at += 2
    if (count > 0) for (let i = 0; i < count; i++) put(half(value, i))
    else if (value === 0) {
      x = 0
      y++
    } else if (value === 1) break
    else if (value === 2) {
      x += packed[at] ?? 0
      y += packed[at + 1] ?? 0
      at += 2
    } else {
      const perByte = bits === 8 ? 1 : 2
      for (let i = 0; i < value; i++) put(half(packed[at + Math.floor(i / perByte)] ?? 0, i))
      at += Math.ceil(value / perByte / 2) * 2
    }
  }
  return pixels
}
