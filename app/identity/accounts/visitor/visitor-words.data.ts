/** A visitor's secret as twelve words (D45). Heavy, so it loads with the dialogs. */
import { bitsOfWords, wordsFile, wordsOfBits } from '../words/twelve-words.data.ts'

const SECRET = /\banon-[0-9a-f]{32}\b/

/** From the 128 bits of an anonymous id. */
export const wordsOf = (anonymousId: string): string[] => {
  const bytes = anonymousId.slice('anon-'.length).match(/../g) ?? []
  return wordsOfBits(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)))
}

/**
 * The anonymous id in typed text or in a file of `visitorWordsFile`, as the id itself or as its
 * words. Otherwise a sentence that says what's wrong.
 */
export function readWords(text: string): { id: string } | { problem: string } {
  const [id] = SECRET.exec(text) ?? []
  if (id) return { id }
  const read = bitsOfWords(text)
  if ('problem' in read) return read
  const bytes = [...read.bits]
  return { id: `anon-${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}` }
}

export const visitorWordsFile = (anonymousId: string, siteName: string) =>
  wordsFile(`Anyone with these twelve words can see, change and delete what was written with them
at ${siteName} without an account. Keep them where no one else looks.

${wordsOf(anonymousId).join(' ')}

${anonymousId}
`)
