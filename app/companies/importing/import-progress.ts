/** Which rows of an import are done, while batches are worked on side by side. No I/O here. */
import type { RowOutcome } from './import-report.ts'

export interface RowCounts {
  rows: number
  added: number
  skipped: number
  failed: number
}

/** A batch that is committed: its rows, counted from 0 through the whole file, and what they became. */
export interface DoneBatch extends RowCounts {
  from: number
}

const NONE: RowCounts = { rows: 0, added: 0, skipped: 0, failed: 0 }

export const sumOf = (a: RowCounts, b: RowCounts): RowCounts => ({
  rows: a.rows + b.rows,
  added: a.added + b.added,
  skipped: a.skipped + b.skipped,
  failed: a.failed + b.failed,
})

export function batchOf(from: number, outcomes: readonly RowOutcome[]): DoneBatch {
  const batch = { ...NONE, from }
  for (const { outcome } of outcomes) {
    batch.rows++
    batch[outcome]++
  }
  return batch
}

/**
 * All rows before the mark are done. A batch may be committed before an earlier one is: it stands
 * ahead of the mark until that one is there, too.
 */
export class ImportProgress {
  #mark: RowCounts
  readonly #ahead = new Map<number, DoneBatch>()

  constructor(mark: RowCounts = NONE, ahead: readonly DoneBatch[] = []) {
    const { rows, added, skipped, failed } = mark
    this.#mark = { rows, added, skipped, failed }
    for (const batch of ahead) if (batch.from >= rows) this.#ahead.set(batch.from, batch)
    this.#advance()
  }

  get mark(): RowCounts {
    return this.#mark
  }

  get ahead(): DoneBatch[] {
    return [...this.#ahead.values()]
  }

  /** Of all that is committed. */
  get counts(): RowCounts {
    return this.ahead.reduce(sumOf, this.#mark)
  }

  isDone(row: number) {
    if (row < this.#mark.rows) return true
    for (const { from, rows } of this.#ahead.values())
      if (row >= from && row < from + rows) return true
    return false
  }

  /** How it will be when this batch is committed, and nothing else. */
  with(batch: DoneBatch) {
    return new ImportProgress(this.#mark, [...this.ahead, batch])
  }

  /** A batch was committed. */
  add(batch: DoneBatch) {
    this.#ahead.set(batch.from, batch)
    this.#advance()
  }

  #advance() {
    for (;;) {
      const next = this.#ahead.get(this.#mark.rows)
      if (!next || next.rows === 0) return
      this.#ahead.delete(next.from)
      this.#mark = sumOf(this.#mark, next)
    }
  }
}
