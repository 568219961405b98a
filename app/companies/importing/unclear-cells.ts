/**
 * Cells that can be read in two ways. We never guess: someone says what a column's cells mean, or we leave them out. No
 * I/O here.
 */
import { type ImportField, RowProblem } from './imported-company.ts'

/** What can be unclear, and what it can mean. */
export const MEANINGS = {
  /** The point in "1.234". */
  point: ['decimals', 'thousands'],
  /** "1904/1946". */
  years: ['first', 'last'],
  /** "31.12.98". */
  century: ['earlier', 'later'],
  /** "NA". */
  ticker: ['ticker', 'nothing'],
  country: ['Namibia', 'nothing'],
} as const
type Unclear = keyof typeof MEANINGS
type Meaning<About extends Unclear> = (typeof MEANINGS)[About][number]
/** What someone said. */
export type Meanings = { [About in Unclear]?: Meaning<About> }

export interface UnclearCell {
  about: Unclear
  /** The unclear part of the cell. */
  text: string
  readings: { meaning: string; shown: string }[]
}

/** A column's cells that can be read in two ways. We ask about the first, once. */
export interface UnclearColumn extends UnclearCell {
  field: ImportField
  row: number
  count: number
}

export class UnclearProblem extends RowProblem {
  readonly unclear: UnclearCell
  constructor(unclear: UnclearCell) {
    super(`“${unclear.text}” could be ${unclear.readings.map(({ shown }) => shown).join(' or ')}`)
    this.unclear = unclear
  }
}

interface Reading<Value> {
  value: Value
  shown: string
}

/** @param said what it means, if someone said so @throws RowProblem with both readings otherwise */
export function meant<About extends Unclear, Value>(
  about: About,
  said: Meanings,
  text: string,
  readings: Record<Meaning<About>, Reading<Value>>,
): Value {
  const meaning = said[about] as Meaning<About> | undefined
  if (meaning) return readings[meaning].value
  throw new UnclearProblem({
    about,
    text,
    readings: MEANINGS[about].map((meaning) => ({
      meaning,
      shown: readings[meaning as Meaning<About>].shown,
    })),
  })
}
