/**
 * 128 bits as twelve words that people can write down (D45). The list of 2,048 words is heavy, so
 * it loads with the dialogs.
 */
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

const WORDS = 12
const KNOWN_WORDS = new Set(wordlist)

/** @param bits 16 bytes. The last word includes a checksum of four bits. */
export const wordsOfBits = (bits: Uint8Array): string[] =>
  entropyToMnemonic(bits, wordlist).split(' ')

/**
 * The bits of twelve words in typed text, with any numbering, spacing and case, or in a file with
 * the words on one line. Otherwise a sentence that says what's wrong.
 */
export function bitsOfWords(text: string): { bits: Uint8Array<ArrayBuffer> } | { problem: string } {
  const words = text.split('\n').map(wordsIn).find(areTwelve) ?? wordsIn(text)
  if (words.length === 0) return { problem: 'Type your twelve words, or choose the file' }
  if (words.length !== WORDS) return { problem: `You’ve entered ${words.length} of 12 words` }
  const unknown = words.find((word) => !KNOWN_WORDS.has(word))
  if (unknown) return { problem: `“${unknown}” isn’t one of our words. Check the spelling.` }
  try {
    return { bits: Uint8Array.from(mnemonicToEntropy(words.join(' '), wordlist)) }
  } catch {
    return { problem: 'These words don’t go together. Check their spelling and order.' }
  }
}

const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []

const areTwelve = (words: string[]) =>
  words.length === WORDS && words.every((word) => KNOWN_WORDS.has(word))

/** A file name that doesn't reveal what the file is for. */
export const wordsFile = (text: string) => ({
  name: 'twelve-words.txt',
  blob: new Blob([text], { type: 'text/plain' }),
})

/** A visitor's secret as twelve words (D45). Heavy, so it loads with the dialogs. */
const SECRET = /\banon-[0-9a-f]{32}\b/

/** Turns the 128 bits of an anonymous id into words. */
export const wordsOfId = (anonymousId: string): string[] => {
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

${wordsOfId(anonymousId).join(' ')}

${anonymousId}
`)
