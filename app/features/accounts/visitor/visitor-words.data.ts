/**
 * A visitor's secret as twelve words, which can be written down and typed elsewhere (decision 45). Runs in the
 * browser: no I/O here. Heavy with its list of 2,048 words: it comes with the dialogs that show or read them.
 */
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

const WORDS = 12
const SECRET = /\banon-[0-9a-f]{32}\b/
const KNOWN_WORDS = new Set(wordlist)

/** Of a whole anonymous id, its 128 bits, and a check of four more in the last word. */
export function wordsOf(anonymousId: string): string[] {
  const bytes = anonymousId.slice('anon-'.length).match(/../g) ?? []
  return entropyToMnemonic(
    Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)),
    wordlist,
  ).split(' ')
}

/**
 * The anonymous id in what somebody typed, or in the file of `wordsFile`: the id itself, or its words, however they
 * are numbered, spaced and capitalised. Otherwise what is wrong with it, in a sentence.
 */
export function readWords(text: string): { id: string } | { problem: string } {
  const [id] = SECRET.exec(text) ?? []
  if (id) return { id }
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  if (words.length === 0) return { problem: 'Type the twelve words, or choose the file' }
  if (words.length !== WORDS)
    return { problem: `There are twelve words, and here are ${words.length}` }
  const unknown = words.find((word) => !KNOWN_WORDS.has(word))
  if (unknown) return { problem: `“${unknown}” is none of these words. Look at how it is spelled.` }
  try {
    const bytes = [...mnemonicToEntropy(words.join(' '), wordlist)]
    return { id: `anon-${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}` }
  } catch {
    return {
      problem: 'These words do not belong together: one is another one, or in another place',
    }
  }
}

/** What is saved: its name tells nobody who looks through a folder what it is for. */
export function wordsFile(anonymousId: string, siteName: string) {
  const text = `Whoever has these twelve words can see, change and delete what was written with them
at ${siteName} without an account. Keep them where nobody else looks.

${wordsOf(anonymousId).join(' ')}

${anonymousId}
`
  return { name: 'twelve-words.txt', blob: new Blob([text], { type: 'text/plain' }) }
}
