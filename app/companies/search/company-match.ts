/** Where in a text something was found, and how it is said. Runs in the browser too. */
import { cutText } from '#app/kit/writing/text.ts'
import { foldLetters, searchKey } from './company-keys.ts'

/** Why a company is an answer. What is not in its name says where it is. */
export interface CompanyMatch {
  in: 'name' | 'alias' | 'category' | 'description' | 'slip'
  /** What is marked, folded: what was typed, or was probably meant. */
  marks: string[]
  /** Where it is not to be seen: the other name, or the part of the description. */
  text: string | null
}

export const isInName = (match: CompanyMatch) => match.in === 'name' || match.in === 'slip'

type Piece = readonly [text: string, isFound: boolean]

/** A text cut around the parts that read like one of `marks`; whole where none does. */
export function piecesAround(text: string, marks: string[]): Piece[] {
  const places = marks.map((mark) => placeOf(text, mark)).filter((place) => place !== undefined)
  const pieces: Piece[] = []
  let at = 0
  for (const [start, end] of places.sort(([a], [b]) => a - b)) {
    if (start < at) continue
    pieces.push([text.slice(at, start), false], [text.slice(start, end), true])
    at = end
  }
  pieces.push([text.slice(at), false])
  return pieces.filter(([piece]) => piece !== '')
}

/** At the beginning of a word, where that is possible. */
function placeOf(text: string, key: string): [number, number] | undefined {
  if (key === '') return undefined
  let folded = ''
  /** Of each folded character: where it came from. */
  const from: { start: number; end: number }[] = []
  /** Places in `folded` at which a word begins. */
  const beginnings = new Set<number>()
  let wasLetter = false
  let at = 0
  for (const letter of text) {
    const plain = foldLetters(letter).replace(/[^\p{L}\p{N}]+/gu, '')
    if (plain && !wasLetter) beginnings.add(folded.length)
    // An accent of its own belongs to the letter before it.
    wasLetter = plain !== '' || (wasLetter && /\p{M}/u.test(letter))
    for (const _ of plain) from.push({ start: at, end: at + letter.length })
    folded += plain
    at += letter.length
  }
  const places: number[] = []
  for (let place = folded.indexOf(key); place >= 0; place = folded.indexOf(key, place + 1))
    places.push(place)
  const place = places.find((place) => beginnings.has(place)) ?? places[0]
  if (place === undefined) return undefined
  const first = from[Array.from(folded.slice(0, place)).length]
  const last = from[Array.from(folded.slice(0, place + key.length)).length - 1]
  return first && last && [first.start, last.end]
}

interface Searched {
  name: string
  aliases: string[]
  description: string | null
}

/** How a company that was found in this way is shown. */
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

/** Whole words around the first that was looked for. */
function excerptOf(description: string, words: string[]) {
  const places = words
    .map((word) => placeOf(description, word)?.[0])
    .filter((place) => place !== undefined)
  const place = Math.min(...places, description.length)
  if (description.length <= LENGTH || places.length === 0) return cutAfter(description)
  const start = place <= BEFORE ? 0 : description.indexOf(' ', place - BEFORE) + 1
  return (start > 0 ? '… ' : '') + cutAfter(description.slice(Math.min(start, place)))
}

function cutAfter(text: string) {
  if (text.length <= LENGTH) return text
  const lastSpace = text.lastIndexOf(' ', LENGTH)
  return `${lastSpace > 0 ? text.slice(0, lastSpace) : cutText(text, LENGTH)} …`
}
