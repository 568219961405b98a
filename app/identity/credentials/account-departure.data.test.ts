/** What stays in a browser after its person's account is deleted. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetAfterLeaving, leaveRatings, ratingsHere } from './account-departure.data.ts'
import { storedHolder, storeHolder } from './holder.data.ts'
import { changeRated, ratedBy, sendLater } from './rated.data.ts'
import type { Rated } from './rated.ts'

const DANA = 'dana'
const [ACME, MILL, QUARRY] = ['acme', 'mill', 'quarry'].map((name) => ({
  id: `id of ${name}`,
  name,
  path: `/${name}`,
})) as [Company, Company, Company]
type Company = { id: string; name: string; path: string }
const STARS = { rto: 4, dei: null, workLife: null, culture: null }

const kept = new Map<string, string>()
beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  storeHolder(DANA, { m1: 'a'.repeat(43), r: 'b'.repeat(43) })
  const sent = ({ name, path }: Company): Rated => ({ name, path, formerIds: [] })
  changeRated(DANA, ACME.id, () => sent(ACME))
  sendLater(DANA, MILL, { rating: STARS, formerIds: [] })
  sendLater(DANA, QUARRY, { rating: null, formerIds: [] })
})
afterEach(() => {
  for (const id of Object.keys(ratedBy(DANA))) changeRated(DANA, id, () => undefined)
  kept.clear()
  vi.unstubAllGlobals()
})

test('dana leaves with her ratings, which are removed whether sent or not, and then her secret goes', () => {
  expect(ratingsHere(DANA)).toBe(2)
  leaveRatings(DANA, 'remove')
  expect(Object.values(ratedBy(DANA)).map(({ outgoing }) => outgoing?.rating)).toEqual([
    null,
    null,
    null,
  ])
  expect(storedHolder(DANA)).toMatchObject({ isLeft: true })
  for (const { id } of [ACME, MILL, QUARRY]) changeRated(DANA, id, () => undefined)
  forgetAfterLeaving(DANA)
  expect(kept.size).toBe(0)
})

test('dana leaves without her ratings, and only those on their way are kept until they arrive', () => {
  leaveRatings(DANA, 'keep')
  expect(Object.keys(ratedBy(DANA))).toEqual([MILL.id, QUARRY.id])
  forgetAfterLeaving(DANA)
  expect(storedHolder(DANA)).not.toBeNull()
  changeRated(DANA, MILL.id, () => undefined)
  // It's refused permanently, and no one is left to tell.
  changeRated(DANA, QUARRY.id, (it) => it && { ...it, outgoing: { rating: null, problem: 'No' } })
  forgetAfterLeaving(DANA)
  expect(kept.size).toBe(0)
})

test('a browser whose secret was replaced removes nothing', () => {
  storeHolder(DANA, { m1: 'a'.repeat(43), r: 'b'.repeat(43), isRefused: true })
  expect(ratingsHere(DANA)).toBe(0)
  leaveRatings(DANA, 'remove')
  expect(kept.size).toBe(0)
})

test('dana isn’t forgotten before she leaves', () => {
  for (const { id } of [ACME, MILL, QUARRY]) changeRated(DANA, id, () => undefined)
  forgetAfterLeaving(DANA)
  expect(storedHolder(DANA)).not.toBeNull()
})
