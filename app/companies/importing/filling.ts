/** What rows say about existing companies, and what we do with that. No I/O here. */
import { EDIT_FIELD_NAMES } from '../edits/company-edit.ts'
import { FACT_FIELDS } from '../edits/company-facts.ts'
import { type ImportedCompany, OTHER_CATEGORY } from './imported-company.ts'

/** Rows don't change logos, or names, because we find companies by those. */
export const FILL_FIELDS = ['category', 'description', 'website', ...FACT_FIELDS] as const
export type FillField = (typeof FILL_FIELDS)[number]
export type Facts = { [Field in FillField]?: ImportedCompany[Field] }

/** `kept` means that the row differs, but the company's value stays. */
export const CELL_OUTCOMES = ['filled', 'replaced', 'kept', 'equal'] as const
type CellOutcome = (typeof CELL_OUTCOMES)[number]
/** What happens to a row's cells. */
export type CellOutcomes = { [Field in FillField]?: CellOutcome }
export type CellOutcomeCounts = { [Field in FillField]?: Record<CellOutcome, number> }

/**
 * A row's facts, without empty cells. "Other" isn't a category, and a company's name isn't one of
 * its other names.
 */
export function factsOfRow(row: ImportedCompany, { name }: { name: string }): Facts {
  const given: Required<Facts> = {
    ...row,
    category: row.category === OTHER_CATEGORY ? '' : row.category,
    aliases: row.aliases.filter((alias) => alias.toLowerCase() !== name.toLowerCase()),
  }
  return Object.fromEntries(
    FILL_FIELDS.flatMap((field) => (String(given[field] ?? '') ? [[field, given[field]]] : [])),
  )
}

/** The outcomes for a company that doesn't exist yet. */
export const allFilled = (facts: Facts): CellOutcomes =>
  Object.fromEntries(Object.keys(facts).map((field) => [field, 'filled']))

export const changedBy = (cellOutcomes: CellOutcomes = {}) =>
  FILL_FIELDS.filter(
    (field) => cellOutcomes[field] === 'filled' || cellOutcomes[field] === 'replaced',
  )

export const fieldNames = (fields: FillField[]) =>
  fields.map((field) => EDIT_FIELD_NAMES[field]).join(', ')

export function countOutcomes(counts: CellOutcomeCounts, cellOutcomes: CellOutcomes = {}) {
  for (const [field, outcome] of Object.entries(cellOutcomes) as [FillField, CellOutcome][]) {
    const column = counts[field] ?? { filled: 0, replaced: 0, kept: 0, equal: 0 }
    column[outcome]++
    counts[field] = column
  }
}

/** Counts in the order of the company's page. `given` counts all cells. */
export const fieldCounts = (counts: CellOutcomeCounts) =>
  FILL_FIELDS.flatMap((field) => {
    const of = counts[field]
    return of ? [{ field, given: of.filled + of.replaced + of.kept + of.equal, ...of }] : []
  })

/** Fields that rows have given companies. If several rows are about one company, the first decides. */
export class GivenFields {
  readonly #before: GivenFields | undefined
  /** One bit per field, because a file can have hundreds of thousands of rows. */
  readonly #bits = new Map<string, number>()
  readonly #tickers = new Map<string, string>()

  constructor(before?: GivenFields) {
    this.#before = before
  }

  #of(id: string): number {
    return (this.#before ? this.#before.#of(id) : 0) | (this.#bits.get(id) ?? 0)
  }

  /** The facts that no earlier row has given. */
  notGiven(id: string, facts: Facts): Facts {
    const given = this.#of(id)
    return Object.fromEntries(
      Object.entries(facts).filter(([field]) => (given & bitOf(field as FillField)) === 0),
    )
  }

  /** The ticker that an earlier row has given, such as another share class's. */
  tickerOf(id: string): string | undefined {
    return this.#tickers.get(id) ?? this.#before?.tickerOf(id)
  }

  add(id: string, facts: Facts) {
    if (facts.ticker) this.#tickers.set(id, facts.ticker)
    const bits = (Object.keys(facts) as FillField[]).reduce((all, field) => all | bitOf(field), 0)
    this.#bits.set(id, (this.#bits.get(id) ?? 0) | bits)
  }

  /** Call it once the later fields are committed. */
  keep(later: GivenFields) {
    for (const [id, bits] of later.#bits) this.#bits.set(id, (this.#bits.get(id) ?? 0) | bits)
    for (const [id, ticker] of later.#tickers) this.#tickers.set(id, ticker)
  }
}

const bitOf = (field: FillField) => 1 << FILL_FIELDS.indexOf(field)
