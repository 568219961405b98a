/** Guesses what a table's columns mean: by titles, then by cells. No I/O here. */
import { cutText, foldText } from '#app/kit/writing/text.ts'
import { FIELD_NAMES, fieldOf, IMPORT_FIELDS, type ImportField } from './imported-company.ts'

/** How many rows' cells we read for guessing. */
export const SAMPLE_ROWS = 50
export const SAMPLES_SHOWN = 3

export const tidyTitle = (title: string) => cutText(title.replace(/\s+/g, ' ').trim(), 100)

/** @param i from 0 */
export const columnTitle = (i: number) => `Column ${i + 1}`

/** Makes titles unique: a second "Name" is "Name (2)", and a third column without a title "Column 3". */
export function uniqueTitles(titles: string[]): string[] {
  const used = new Set<string>()
  return titles.map((given, i) => {
    const title = tidyTitle(given) || columnTitle(i)
    let unique = title
    for (let n = 2; used.has(unique); n++) unique = `${title} (${n})`
    used.add(unique)
    return unique
  })
}

/** Hints in longer titles, such as "GICS Sub-Industry". */
const HINTS: [RegExp, ImportField][] = [
  [/\b(company|security|issuer|organi[sz]ation|employer|business|legal|full) name\b/, 'name'],
  [/\b(sector|industry)\b/, 'category'],
  [/\b(website|web site|homepage|domain)\b/, 'website'],
  [/\bheadquarters?\b/, 'headquarters'],
  [/\b(founded|founding|established)\b/, 'founded'],
  [/\b(ticker|symbol)\b/, 'ticker'],
  [/\b(employees|headcount)\b/, 'size'],
  [/\b(aliases|other names|also known)\b/, 'aliases'],
  [/\bcountry\b/, 'country'],
]

interface Guess {
  field: ImportField
  /** A field goes to the column with the highest weight. */
  weight: number
}

export function guessOf(title: string): Guess | undefined {
  const exact = fieldOf(title)
  if (exact)
    return { field: exact, weight: IMPORT_FIELDS.some((name) => name === plain(title)) ? 3 : 2 }
  const hint = HINTS.find(([words]) => words.test(plain(title)))
  return hint && { field: hint[1], weight: 1 }
}

const plain = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** If two titles fit one field, the better guess wins, or the first if both are equal. */
export function fieldsOfTitles(titles: string[]): (ImportField | undefined)[] {
  const guesses = titles.map(guessOf)
  const best = (field: ImportField) =>
    Math.max(...guesses.map((guess) => (guess?.field === field ? guess.weight : 0)))
  const taken = new Set<ImportField>()
  return guesses.map((guess) => {
    if (!guess || taken.has(guess.field) || guess.weight < best(guess.field)) return undefined
    taken.add(guess.field)
    return guess.field
  })
}

interface TableColumn {
  title: string
  samples: string[]
}

const ADDRESS =
  /^(?:https?:\/\/|www\.)(?=\S+$)\S[^.]*\.\S|^[a-z0-9-]+(\.[a-z0-9-]+)*\.(com|org|net|io|co|de|eu)$/i
const YEAR = /^(1[5-9]|20)\d\d$/

/** Guesses each column's field from its title, or otherwise from its cells. */
export function guessColumns(columns: TableColumn[]): (ImportField | undefined)[] {
  const fields = fieldsOfTitles(columns.map(({ title }) => title))
  const give = (field: ImportField, looks: (column: TableColumn) => boolean) => {
    if (fields.includes(field)) return
    const at = columns.findIndex(
      (column, i) => !fields[i] && column.samples.length > 0 && looks(column),
    )
    if (at >= 0) fields[at] = field
  }
  give('website', ({ samples }) => samples.every((cell) => ADDRESS.test(cell)))
  give('founded', ({ samples }) => samples.every((cell) => YEAR.test(cell)))
  give('name', ({ title, samples }) => /\bname\b/i.test(title) && areNames(samples))
  return fields
}

/** Distinct words. */
const areNames = (samples: string[]) =>
  new Set(samples).size === samples.length && samples.every((cell) => /\p{L}{2}/u.test(cell))

const TITLES_TOLD = 12

/** "The file has columns Symbol, Sector, but none looks like a name". */
export function titlesSentence(titles: string[], wanted: string) {
  const columns = uniqueTitles(titles.filter((title) => title.trim() !== ''))
  const more = columns.length > TITLES_TOLD ? ` and ${columns.length - TITLES_TOLD} more` : ''
  const list = columns.slice(0, TITLES_TOLD).join(', ')
  const what = FIELD_NAMES[wanted as ImportField] ?? wanted
  return columns.length === 1
    ? `The file has one column, ${list}, which doesn’t look like a ${what}`
    : `The file has columns ${list}${more}, but none looks like a ${what}`
}

/** Maps common sector names to the starter companies' categories, best first. */
const NEAREST: Record<string, string[]> = {
  'health care': ['Healthcare'],
  'information technology': ['Technology', 'IT Services'],
  it: ['Technology', 'IT Services'],
  software: ['Technology'],
  financials: ['Banking', 'Payments & Fintech', 'Insurance'],
  finance: ['Banking'],
  'financial services': ['Banking'],
  industrials: ['Industrial Manufacturing'],
  manufacturing: ['Industrial Manufacturing'],
  'consumer staples': ['Food & Beverage', 'Consumer Goods'],
  'consumer discretionary': ['Retail', 'Consumer Goods'],
  'consumer cyclical': ['Retail', 'Consumer Goods'],
  'consumer defensive': ['Food & Beverage', 'Consumer Goods'],
  'communication services': ['Media & Entertainment', 'Telecommunications'],
  communications: ['Telecommunications'],
  materials: ['Chemicals', 'Mining & Metals'],
  'basic materials': ['Chemicals', 'Mining & Metals'],
  'aerospace and defence': ['Aerospace & Defense'],
  transportation: ['Logistics'],
  pharma: ['Pharmaceuticals'],
  hospitality: ['Travel & Hospitality'],
}

/** Equal for "Food and Beverage" and "food & beverage". */
export const categoryKeyOf = (category: string) =>
  foldText(category)
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Earlier choices, by `categoryKeyOf` of the list's category. */
type ChosenCategories = ReadonlyMap<string, string>

/**
 * An earlier choice, otherwise the same or a similar category of the site, otherwise the list's own.
 * @param here categories of the site, by `categoryKeyOf`
 */
export function categoryFor(
  given: string,
  { chosen, here }: { chosen: ChosenCategories; here: ReadonlyMap<string, string> },
): string {
  const key = categoryKeyOf(given)
  const near = (NEAREST[key] ?? []).map((name) => here.get(categoryKeyOf(name)))
  return chosen.get(key) ?? here.get(key) ?? near.find(Boolean) ?? given
}
