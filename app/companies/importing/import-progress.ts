/** Which rows of an import are done while batches run in parallel. No I/O here. */
import type { RowOutcome } from './import-report.ts'

export interface RowCounts {
  rows: number
  added: number
  skipped: number
  failed: number
}

/** A committed batch, from row `from` (0-based), with its outcomes. */
export interface DoneBatch extends RowCounts {
  from: number
}

const NONE: RowCounts = { rows: 0, added: 0, skipped: 0, failed: 0 }

const sumOf = (a: RowCounts, b: RowCounts): RowCounts => ({
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

/** All rows before the mark are done. Batches committed out of order wait ahead of the mark. */
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

  /** Counts of all committed rows. */
  get counts(): RowCounts {
    return this.ahead.reduce(sumOf, this.#mark)
  }

  isDone(row: number) {
    if (row < this.#mark.rows) return true
    for (const { from, rows } of this.#ahead.values())
      if (row >= from && row < from + rows) return true
    return false
  }

  /** The progress once this batch is committed. */
  with(batch: DoneBatch) {
    return new ImportProgress(this.#mark, [...this.ahead, batch])
  }

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
