/** Which pages and actions of the site match a typed text. Runs in the browser too: no I/O here. */
import { foldLetters } from '#app/companies/search/company-keys.ts'

const wordsOf = (text: string) =>
  foldLetters(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Whether each typed word begins a word of `name`. An empty text matches everything. */
export function readsLike(name: string, typed: string): boolean {
  const words = wordsOf(name)
  const wanted = wordsOf(typed)
  // Punctuation alone matches nothing.
  if (wanted.length === 0) return typed.trim() === ''
  return wanted.every((part) => words.some((word) => word.startsWith(part)))
}
