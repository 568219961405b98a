/** Words of contact messages for the search index. */

/** How much of a word is enough to find it. */
const WORD_MAX = 60
const WORDS_MAX = 8

/** Words for the search index: lower case, without accents, each once. */
export const searchWords = (text: string): string[] => [...new Set(wordsIn(text))]

/** A tsquery for all words in `text`, each as a prefix. Empty without words. */
export const searchQuery = (text: string): string =>
  searchWords(text)
    .slice(0, WORDS_MAX)
    .map((word) => `'${word}':*`)
    .join(' & ')

/** Letters and digits of any script. */
function wordsIn(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => [...word].slice(0, WORD_MAX).join(''))
}
