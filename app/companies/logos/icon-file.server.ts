/** Reads an ICO file, in which several sizes of a picture lie: most sites have nothing else. */

interface Opened {
  input: Buffer
  raw?: { width: number; height: number; channels: 4 }
}

const PNG = Buffer.from('\x89PNG', 'latin1')
const ENTRIES_MAX = 64
const HEADER_BYTES = 6
const ENTRY_BYTES = 16
const BITMAP_HEADER_BYTES = 40

/** The largest picture in it that we can read: a PNG, or a bitmap of 32 bits. */
export function pictureInIcon(file: Buffer): Opened | undefined {
  if (file.length < HEADER_BYTES) return undefined
  const count = Math.min(file.readUInt16LE(4), ENTRIES_MAX)
  if (file.length < HEADER_BYTES + count * ENTRY_BYTES) return undefined
  const pictures = Array.from({ length: count }, (_, i) => {
    const at = HEADER_BYTES + i * ENTRY_BYTES
    const offset = file.readUInt32LE(at + 12)
    // Zero stands for 256.
    const width = file.readUInt8(at) || 256
    return { width, bytes: file.subarray(offset, offset + file.readUInt32LE(at + 8)) }
  }).sort((a, b) => b.width - a.width)
  for (const { bytes } of pictures) {
    const opened = bytes.subarray(0, 4).equals(PNG) ? { input: bytes } : bitmap(bytes)
    if (opened) return opened
  }
  return undefined
}

/** Rows from below, blue first; the header counts the rows of the mask behind it, too. */
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
