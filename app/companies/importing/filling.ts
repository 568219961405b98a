/** What rows say about companies that are here already, and what becomes of it. No I/O here. */
import { FACT_FIELDS } from '../edits/company-facts.ts'
import { type ImportedCompany, OTHER_CATEGORY } from './imported-company.ts'

/** Rows change no names, by which companies are found, and no logos. */
export const FILL_FIELDS = ['category', 'description', 'website', ...FACT_FIELDS] as const
export type FillField = (typeof FILL_FIELDS)[number]
export type Facts = { [Field in FillField]?: ImportedCompany[Field] }

/** `kept`: differs from what's there, which stays. */
export const FATES = ['filled', 'replaced', 'kept', 'equal'] as const
type Fate = (typeof FATES)[number]
/** What becomes of a row's cells. */
export type Fates = { [Field in FillField]?: Fate }
export type FateCounts = { [Field in FillField]?: Record<Fate, number> }

/** Without empty cells. "Other" is no category, and a company's name none of its other names. */
export function factsOf(row: ImportedCompany, { name }: { name: string }): Facts {
  const given: Required<Facts> = {
    ...row,
    category: row.category === OTHER_CATEGORY ? '' : row.category,
    aliases: row.aliases.filter((alias) => alias.toLowerCase() !== name.toLowerCase()),
  }
  return Object.fromEntries(
    FILL_FIELDS.flatMap((field) => (String(given[field] ?? '') ? [[field, given[field]]] : [])),
  )
}

/** For a company that doesn't exist yet. */
export const allFilled = (facts: Facts): Fates =>
  Object.fromEntries(Object.keys(facts).map((field) => [field, 'filled']))

export const changedBy = (fates: Fates = {}) =>
  FILL_FIELDS.filter((field) => fates[field] === 'filled' || fates[field] === 'replaced')

export function noteFates(counts: FateCounts, fates: Fates = {}) {
  for (const [field, fate] of Object.entries(fates) as [FillField, Fate][]) {
    const column = counts[field] ?? { filled: 0, replaced: 0, kept: 0, equal: 0 }
    column[fate]++
    counts[field] = column
  }
}

/** In the order of the company's page. `given`: cells in all. */
export const fieldCounts = (counts: FateCounts) =>
  FILL_FIELDS.flatMap((field) => {
    const of = counts[field]
    return of ? [{ field, given: of.filled + of.replaced + of.kept + of.equal, ...of }] : []
  })

/** Fields that rows have given companies. Of several rows about one, the first decides. */
export class GivenFields {
  readonly #before: GivenFields | undefined
  /** A bit per field, as a file can have hundreds of thousands of rows. */
  readonly #bits = new Map<string, number>()

  constructor(before?: GivenFields) {
    this.#before = before
  }

  #of(id: string): number {
    return (this.#before ? this.#before.#of(id) : 0) | (this.#bits.get(id) ?? 0)
  }

  /** Those that no earlier row has given. */
  fresh(id: string, facts: Facts): Facts {
    const given = this.#of(id)
    return Object.fromEntries(
      Object.entries(facts).filter(([field]) => (given & bitOf(field as FillField)) === 0),
    )
  }

  add(id: string, facts: Facts) {
    const bits = (Object.keys(facts) as FillField[]).reduce((all, field) => all | bitOf(field), 0)
    this.#bits.set(id, (this.#bits.get(id) ?? 0) | bits)
  }

  /** Once they're committed. */
  keep(later: GivenFields) {
    for (const [id, bits] of later.#bits) this.#bits.set(id, (this.#bits.get(id) ?? 0) | bits)
  }
}

const bitOf = (field: FillField) => 1 << FILL_FIELDS.indexOf(field)
