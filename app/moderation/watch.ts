/** The watch list, which holds new posts. Also runs in the browser, except for domains in other scripts. */
import { foldedWords } from '#app/companies/search/company-keys.ts'
import { lengthOf } from '#app/kit/writing/text.ts'

export const WATCHED_MAX = 100
const WORDS_MAX = 8
export const WATCH_PROBLEMS = {
  empty: 'Please enter a word, a phrase or a domain',
  letter: 'One letter would hold far too many posts. Enter a whole word.',
  long: `An entry can have at most ${WATCHED_MAX} characters`,
  words: `A phrase can have at most ${WORDS_MAX} words`,
} as const

interface WatchKey {
  /** Words in the form we compare, or a host without "www". */
  folded: string
  isDomain: boolean
}

/** A domain, written as spam.example, https://spam.example/offer or @spam.example. */
const DOMAIN =
  /^(?:https?:\/\/|@)?(?:www\.)?((?:[\p{L}\p{N}-]{1,63}\.)+\p{L}[\p{L}\p{N}-]{1,62})(?:[/?#:]\S*)?$/iu
/** What may be a host in a text. Dots at its end belong to the sentence. */
const HOST_LIKE = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
/** We only compare the last labels of a longer host. */
const LABELS_MAX = 8
/** Browsers change nothing but capitals in such a host. */
const ASCII = /^[a-z0-9.-]+$/i
/** A host can't have a longer label. */
const LABEL_MAX = 63

const LETTERS = /[\p{L}\p{N}]/gu

/** Each of these characters folds to a whole sentence, so a text of them would get eighteen times as long. */
const SENTENCES = /[\ufdfa\ufdfb]/g

const wordsToWatch = (text: string) => foldedWords(text.replace(SENTENCES, ' '))

/** A host as browsers write it, with other scripts in punycode. */
function hostOf(text: string): string | undefined {
  try {
    return new URL(`http://${text}`).hostname.replace(/^www\./, '')
  } catch {
    return undefined
  }
}

/** The form in which we compare an entry, or what's wrong with it. */
export function watchKey(entry: string): WatchKey | { problem: string } {
  if (lengthOf(entry) > WATCHED_MAX) return { problem: WATCH_PROBLEMS.long }
  const host = DOMAIN.exec(entry.trim())?.[1]
  const domain = host && hostOf(host)
  if (domain) return { folded: domain, isDomain: true }
  const words = wordsToWatch(entry)
  if (words.length === 0) return { problem: WATCH_PROBLEMS.empty }
  if (words.length > WORDS_MAX) return { problem: WATCH_PROBLEMS.words }
  if (entry.match(LETTERS)?.length === 1) return { problem: WATCH_PROBLEMS.letter }
  return { folded: words.join(' '), isDomain: false }
}

export interface WatchedEntry extends WatchKey {
  entry: string
}

/**
 * Looks for all entries at once. Each word of a text starts at most one phrase of each length, and each
 * phrase is one lookup, so the time grows only with the text, not with the list. @returns the entries in a
 * text, each once
 */
export function createWatch(entries: WatchedEntry[]): (text: string) => string[] {
  const phrases = new Map(entries.filter((it) => !it.isDomain).map((it) => [it.folded, it.entry]))
  const domains = new Map(entries.filter((it) => it.isDomain).map((it) => [it.folded, it.entry]))
  const lengths = [...new Set([...phrases.keys()].map((folded) => folded.split(' ').length))]
  return (text) => {
    const found = new Set<string>()
    const take = (entry: string | undefined) => entry !== undefined && found.add(entry)
    if (lengths.length > 0) {
      const words = wordsToWatch(text)
      for (let at = 0; at < words.length; at++)
        for (const length of lengths) take(phrases.get(words.slice(at, at + length).join(' ')))
    }
    if (domains.size > 0)
      for (const [like] of text.matchAll(HOST_LIKE)) {
        const last = like.split('.').slice(-LABELS_MAX)
        const tooLong = last.findLastIndex(({ length }) => length > LABEL_MAX)
        const host = last.slice(tooLong + 1).join('.')
        const labels = (ASCII.test(host) ? host.toLowerCase() : hostOf(host))?.split('.') ?? []
        for (let at = 0; at < labels.length - 1; at++) take(domains.get(labels.slice(at).join('.')))
      }
    return [...found]
  }
}
