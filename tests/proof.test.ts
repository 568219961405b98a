import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Proof {
  PARTS: Record<string, { inTurn?: boolean; run: string[] }>
  partOfDay(now: number): string
}
const { href } = new URL('../scripts/proof.mjs', import.meta.url)
const { PARTS, partOfDay }: Proof = await import(href)

const DAY_MS = 86_400_000

test('each journey of the proof belongs to a part', () => {
  const run = Object.values(PARTS).flatMap((part) => part.run)
  const files = readdirSync('tests/journeys').filter((name) => name.endsWith('.proof.ts'))
  expect(run).toEqual(expect.arrayContaining(files.map((name) => `tests/journeys/${name}`)))
})

test('each part that CI can run has its day', () => {
  const inTurn = Object.keys(PARTS).filter((name) => PARTS[name]?.inTurn)
  const days = inTurn.map((_, day) => partOfDay(Date.UTC(2026, 2, 2) + day * DAY_MS))
  expect(days.toSorted()).toEqual(inTurn.toSorted())
})
