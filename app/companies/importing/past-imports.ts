/** Past imports, and the texts of undoing one. No I/O here. */

export const IMPORT_UNDONE = 'This import was undone. Start a new one.'

export interface PastImport {
  id: string
  day: string
  admin: string
  source: string
  added: number
  skipped: number
  failed: number
  isUndone: boolean
  /** Companies that still exist. */
  left: number
}

/** A company that stayed. */
export interface KeptCompany {
  name: string
  path: string
  /** Such as "threads"; empty if they were removed just now. */
  has: string[]
}

export interface UndoneImport {
  removed: number
  kept: KeptCompany[]
  /** `kept` has only the first. */
  keptCount: number
}

export const companiesCounted = (count: number) =>
  `${count.toLocaleString('en')} ${count === 1 ? 'company' : 'companies'}`

export const undoneSentence = ({ removed, keptCount }: Omit<UndoneImport, 'kept'>) =>
  keptCount === 0
    ? `Undone: ${companiesCounted(removed)} removed.`
    : `${companiesCounted(removed)} removed. ${companiesCounted(keptCount)} stayed because people use them.`

/** For the administrators' log: "3 companies from list.csv". */
export const importedText = (count: number, source?: string | null) =>
  `${companiesCounted(count)}${source ? ` from ${source}` : ''}`
