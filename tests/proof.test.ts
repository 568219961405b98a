import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Proof {
  PARTS: Record<string, { inTurn?: boolean; run: string[] }>
  partOfDay(now: number): string
}
const { href } = new URL('../scripts/proof.mjs', import.meta.url)
const { PARTS, partOfDay }: Proof = await import(href)

const files = ['app', 'tests'].flatMap((folder) =>
  readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`),
)
const DAY_MS = 86_400_000

test('each file of the proof belongs to a part', () => {
  const run = Object.values(PARTS).flatMap((part) => part.run)
  const proofs = files.filter((file) => file.endsWith('.proof.ts'))
  expect(run).toEqual(expect.arrayContaining(proofs))
})

test('every file that normal runs shorten is in the proof', () => {
  const its = files
    .filter((file) => /\.(test|journey)\.ts$/.test(file))
    .filter((file) => /from '.*\/amounts\.ts'/.test(readFileSync(file, 'utf8')))
  const { slow, visits, whole } = PARTS
  expect(its.length).toBeGreaterThan(20)
  expect([slow, visits, whole].flatMap((part) => part?.run)).toEqual(expect.arrayContaining(its))
})

test('each part that CI can run has its day', () => {
  const inTurn = Object.keys(PARTS).filter((name) => PARTS[name]?.inTurn)
  const days = inTurn.map((_, day) => partOfDay(Date.UTC(2026, 2, 2) + day * DAY_MS))
  expect(days.toSorted()).toEqual(inTurn.toSorted())
})
