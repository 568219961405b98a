/** Screenshots as small files. Pages only need a few colors. */
import { writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'

/** Small, so a README with all of them loads fast. */
export const PICTURE_BYTES_MAX = 120_000
const COLOURS = [256, 128, 64, 32]

/** @returns its size in bytes */
export async function savePicture(page: Page, file: string): Promise<number> {
  const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  for (const colours of COLOURS) {
    const bytes = await sharp(shot)
      .png({ palette: true, colours, dither: 0.5, effort: 10, compressionLevel: 9 })
      .toBuffer()
    if (bytes.length > PICTURE_BYTES_MAX) continue
    await writeFile(file, bytes)
    return bytes.length
  }
  throw new Error(`${file} does not fit into ${PICTURE_BYTES_MAX} bytes, with 32 colours either`)
}
