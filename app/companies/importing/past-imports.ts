/** Imports of companies that were made, and what is said of undoing one. No I/O here. */

export const IMPORT_UNDONE = 'This import was undone. Begin a new one.'

export interface PastImport {
  id: string
  day: string
  admin: string
  source: string
  added: number
  skipped: number
  failed: number
  isUndone: boolean
  /** How many of its companies are still here. */
  left: number
}

/** One that was not taken away, and what people did there. */
export interface KeptCompany {
  name: string
  path: string
  /** Such as "threads"; nothing for one that came free in this very moment. */
  has: string[]
}

export interface UndoneImport {
  removed: number
  kept: KeptCompany[]
  /** The first of them are told. */
  keptCount: number
}

export const companiesCounted = (count: number) =>
  `${count.toLocaleString('en')} ${count === 1 ? 'company' : 'companies'}`

export const undoneSentence = ({ removed, keptCount }: Omit<UndoneImport, 'kept'>) =>
  keptCount === 0
    ? `Undone: ${companiesCounted(removed)} removed.`
    : `${companiesCounted(removed)} removed. ${companiesCounted(keptCount)} stayed: people are there by now.`

/** What the log of administrators says of an import: "3 companies from list.csv". */
export const importedText = (count: number, source?: string | null) =>
  `${companiesCounted(count)}${source ? ` from ${source}` : ''}`
