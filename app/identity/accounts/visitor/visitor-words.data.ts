/** A visitor's secret as twelve words (D45). Heavy as they are: it comes with the dialogs. */
import { bitsOfWords, wordsFile, wordsOfBits } from '../words/twelve-words.data.ts'

const SECRET = /\banon-[0-9a-f]{32}\b/

/** Of a whole anonymous id, its 128 bits. */
export const wordsOf = (anonymousId: string): string[] => {
  const bytes = anonymousId.slice('anon-'.length).match(/../g) ?? []
  return wordsOfBits(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)))
}

/**
 * The anonymous id in what somebody typed, or in the file of `visitorWordsFile`: the id itself, or its words. Otherwise
 * what is wrong with it, in a sentence.
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
  wordsFile(`Whoever has these twelve words can see, change and delete what was written with them
at ${siteName} without an account. Keep them where nobody else looks.

${wordsOf(anonymousId).join(' ')}

${anonymousId}
`)
