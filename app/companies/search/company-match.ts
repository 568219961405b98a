/** Why a search found a company, and what to highlight. Runs in the browser too. */
import { cutText } from '#app/kit/writing/text.ts'
import { foldLetters, searchKey } from './company-keys.ts'

export interface CompanyMatch {
  in: 'name' | 'alias' | 'category' | 'description' | 'slip'
  /** Folded texts to highlight: what was typed, or the likely spelling. */
  marks: string[]
  /** The other name, or the excerpt of the description. */
  text: string | null
}

export const isInName = (match: CompanyMatch) => match.in === 'name' || match.in === 'slip'

type Piece = readonly [text: string, isFound: boolean]

/** Splits a text around matches of `marks`. */
export function piecesAround(text: string, marks: string[]): Piece[] {
  const ranges = marks.map((mark) => rangeOf(text, mark)).filter((range) => range !== undefined)
  const pieces: Piece[] = []
  let at = 0
  for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
    if (start < at) continue
    pieces.push([text.slice(at, start), false], [text.slice(start, end), true])
    at = end
  }
  pieces.push([text.slice(at), false])
  return pieces.filter(([piece]) => piece !== '')
}

/** Prefers the start of a word. */
function rangeOf(text: string, key: string): [number, number] | undefined {
  if (key === '') return undefined
  let folded = ''
  /** The range in `text` of each folded character. */
  const from: { start: number; end: number }[] = []
  /** Positions in `folded` where words begin. */
  const beginnings = new Set<number>()
  let wasLetter = false
  let at = 0
  for (const letter of text) {
    const plain = foldLetters(letter).replace(/[^\p{L}\p{N}]+/gu, '')
    if (plain && !wasLetter) beginnings.add(folded.length)
    // A combining accent belongs to the letter before it.
    wasLetter = plain !== '' || (wasLetter && /\p{M}/u.test(letter))
    for (const _ of plain) from.push({ start: at, end: at + letter.length })
    folded += plain
    at += letter.length
  }
  const positions: number[] = []
  for (let at = folded.indexOf(key); at >= 0; at = folded.indexOf(key, at + 1)) positions.push(at)
  const position = positions.find((at) => beginnings.has(at)) ?? positions[0]
  if (position === undefined) return undefined
  const first = from[Array.from(folded.slice(0, position)).length]
  const last = from[Array.from(folded.slice(0, position + key.length)).length - 1]
  return first && last && [first.start, last.end]
}

interface Searched {
  name: string
  aliases: string[]
  description: string | null
}

export function matchOf(
  company: Searched,
  found: { by: 'name' | 'category' | 'description' | 'slip'; key: string },
  text: string,
): CompanyMatch {
  const { by, key } = found
  const marks = [key]
  if (by === 'description') {
    const words = text.split(/\s+/).map(searchKey).filter(Boolean)
    return { in: by, marks: words, text: excerptOf(company.description ?? '', words) }
  }
  if (by === 'category') return { in: by, marks, text: null }
  const alias = reads(company.name, key)
    ? undefined
    : company.aliases.find((alias) => reads(alias, key))
  if (alias !== undefined) return { in: 'alias', marks, text: alias }
  return { in: by, marks, text: null }
}

const reads = (name: string, key: string) =>
  searchKey(name).includes(key) || searchKey(name.replaceAll('&', ' and ')).includes(key)

const BEFORE = 30
const LENGTH = 90

/** Whole words around the first match. */
function excerptOf(description: string, words: string[]) {
  const positions = words
    .map((word) => rangeOf(description, word)?.[0])
    .filter((position) => position !== undefined)
  const position = Math.min(...positions, description.length)
  if (description.length <= LENGTH || positions.length === 0) return cutAfter(description)
  const start = position <= BEFORE ? 0 : description.indexOf(' ', position - BEFORE) + 1
  return (start > 0 ? '… ' : '') + cutAfter(description.slice(Math.min(start, position)))
}

function cutAfter(text: string) {
  if (text.length <= LENGTH) return text
  const lastSpace = text.lastIndexOf(' ', LENGTH)
  return `${lastSpace > 0 ? text.slice(0, lastSpace) : cutText(text, LENGTH)} …`
}
