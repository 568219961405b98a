/**
 * 128 bits as twelve words, which can be written down and typed elsewhere (D45). Runs in the browser: no I/O
 * here. Heavy with its list of 2,048 words: it comes with the dialogs that show or read them.
 */
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

const WORDS = 12
const KNOWN_WORDS = new Set(wordlist)

/** Of 16 bytes, with a check of four more bits in the last word. */
export const wordsOfBits = (bits: Uint8Array): string[] =>
  entropyToMnemonic(bits, wordlist).split(' ')

/**
 * The bits of twelve words in what somebody typed, however they are numbered, spaced and capitalised, or in a file that
 * has them on one line. Otherwise what is wrong, in a sentence.
 */
export function bitsOfWords(text: string): { bits: Uint8Array<ArrayBuffer> } | { problem: string } {
  const words = text.split('\n').map(wordsIn).find(areTwelve) ?? wordsIn(text)
  if (words.length === 0) return { problem: 'Type the twelve words, or choose the file' }
  if (words.length !== WORDS)
    return { problem: `There are twelve words, and here are ${words.length}` }
  const unknown = words.find((word) => !KNOWN_WORDS.has(word))
  if (unknown) return { problem: `“${unknown}” is none of these words. Look at how it is spelled.` }
  try {
    return { bits: Uint8Array.from(mnemonicToEntropy(words.join(' '), wordlist)) }
  } catch {
    return {
      problem: 'These words do not belong together: one is another one, or in another place',
    }
  }
}

const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []

const areTwelve = (words: string[]) =>
  words.length === WORDS && words.every((word) => KNOWN_WORDS.has(word))

/** What is saved: its name tells nobody who looks through a folder what it is for. */
export const wordsFile = (text: string) => ({
  name: 'twelve-words.txt',
  blob: new Blob([text], { type: 'text/plain' }),
})
