import { expect, test } from 'vitest'
import { batchOf, ImportProgress } from './import-progress.ts'
import type { RowOutcome } from './import-report.ts'

const acme = { name: 'Acme', path: '/acme' }
const outcomes = (...kinds: RowOutcome['outcome'][]) =>
  kinds.map((outcome, row) => ({ row, outcome, company: acme }) as RowOutcome)
const batch = (from: number, rows: number) =>
  batchOf(from, outcomes(...Array.from({ length: rows }, () => 'added' as const)))

test('a batch counts what became of its rows', () => {
  expect(batchOf(7, outcomes('added', 'failed', 'skipped', 'added'))).toEqual({
    from: 7,
    rows: 4,
    added: 2,
    skipped: 1,
    failed: 1,
  })
})

test('the mark stops before a missing batch and passes all finished ones', () => {
  const progress = new ImportProgress()
  progress.add(batch(4, 2))
  progress.add(batch(2, 2))
  expect(progress.mark.rows).toBe(0)
  expect(progress.counts).toMatchObject({ rows: 4, added: 4 })
  expect([0, 1, 2, 5, 6].map((row) => progress.isDone(row))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ])
  progress.add(batch(0, 2))
  expect(progress.mark).toEqual({ rows: 6, added: 6, skipped: 0, failed: 0 })
  expect(progress.ahead).toEqual([])
})

test('a batch’s effect can be computed without applying it', () => {
  const progress = new ImportProgress({ rows: 2, added: 1, skipped: 1, failed: 0 }, [batch(4, 2)])
  expect(progress.with(batch(2, 2)).mark).toEqual({ rows: 6, added: 5, skipped: 1, failed: 0 })
  expect(progress.mark.rows).toBe(2)
})

test('a batch remembered as ahead but behind the mark counts once', () => {
  const mark = { rows: 4, added: 4, skipped: 0, failed: 0 }
  expect(new ImportProgress(mark, [batch(2, 2), batch(4, 2)]).counts).toMatchObject({ rows: 6 })
})
