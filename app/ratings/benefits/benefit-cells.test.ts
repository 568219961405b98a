/** What's published about benefits, over a year of made-up people. */
import { describe, expect, test } from 'vitest'
import { PAY_BATCH } from '../pay/pay.ts'
import { difference } from '../pay/pay-cells.ts'
import {
  type BenefitCell,
  type BenefitEntry,
  cellKey,
  nextCells,
  quartersOf,
  surgesIn,
} from './benefit-cells.ts'
import { MEDIAN_MIN, SHARES_MIN } from './benefits.ts'

let made = 0
const entry = (over: Partial<BenefitEntry> = {}): BenefitEntry => ({
  id: String(++made).padStart(6, '0'),
  version: 1,
  companyId: 'acme',
  givenTo: over.companyId ?? 'acme',
  year: 2026,
  month: '2026-03-01',
  has: ['company-pension'],
  uses: [],
  leaveWeeks: null,
  daysOff: null,
  ...over,
})
const several = (n: number, over: Partial<BenefitEntry> = {}) =>
  Array.from({ length: n }, () => entry(over))
const MARCH = { today: '2026-03-14', quarter: '2026-Q1' }
const APRIL = { today: '2026-04-01', quarter: '2026-Q2' }
const kindsOf = (cells: BenefitCell[]) => cells.map(({ kind, entries }) => `${kind} ${entries}`)
const sizesOf = (cells: BenefitCell[]) => cells.map(({ members }) => members.length)

describe('a number', () => {
  test('is published from five people on, and a median from ten', () => {
    expect(nextCells(several(4), [], MARCH)).toEqual([])
    const nine = Array.from({ length: 9 }, (_, i) => entry({ daysOff: 20 + i }))
    expect(kindsOf(nextCells(nine, [], MARCH))).toEqual(['shares 5'])
    const [shares, daysOff] = nextCells([...nine, entry({ daysOff: 90 }), entry()], [], MARCH)
    expect(daysOff).toMatchObject({ kind: 'daysOff', entries: 10, median: 25 })
    expect(shares?.shares).toMatchObject({ 'company-pension': [4, 0], 'meal-vouchers': [0, 0] })
  })

  test('changes once five people’s entries differ, or at the turn of a quarter', () => {
    const first = several(7)
    const cells = nextCells(first, [], MARCH)
    expect(sizesOf(nextCells([...first, ...several(4)], cells, MARCH))).toEqual([7])
    const changed = first.map((it, i) => (i < 4 ? { ...it, version: 2, has: [] } : it))
    expect(nextCells(changed, cells, MARCH)).toEqual(cells)
    expect(sizesOf(nextCells([...first, ...several(5)], cells, MARCH))).toEqual([12])
    expect(sizesOf(nextCells([...first, ...several(1)], cells, APRIL))).toEqual([8])
  })

  test('changes by itself, so five people’s shares don’t give away one person’s days off', () => {
    const first = several(10, { daysOff: 25 })
    const cells = nextCells(first, [], MARCH)
    const next = nextCells([...first, ...several(4), entry({ daysOff: 60 })], cells, MARCH)
    expect(sizesOf(next)).toEqual([15, 10])
  })

  test('goes when fewer people are left than it needs', () => {
    const first = several(9)
    const cells = nextCells(first, [], MARCH)
    expect(nextCells(first.slice(4), cells, MARCH)).toEqual(cells)
    expect(nextCells(first.slice(5), cells, MARCH)).toEqual([])
    expect(nextCells(first.slice(5), cells, APRIL)).toEqual([])
  })

  test('counts two entries at companies that were merged as one person’s', () => {
    const merged = [...several(4), ...several(4).map((it) => ({ ...it, givenTo: 'former' }))]
    expect(nextCells(merged, [], MARCH)).toEqual([])
  })
})

test('a share never says what each of them has, not even if all agree', () => {
  for (let of = SHARES_MIN; of <= 60; of++) {
    const shares = Array.from({ length: of + 1 }, (_, count) => quartersOf(count, of))
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    expect(shares[0]).toBe(shares[1])
    expect(shares[of]).toBe(shares[of - 1])
  }
})

describe('a surge', () => {
  const usual = ['2025-06-01', '2025-09-01', '2025-12-01'].flatMap((month) => several(2, { month }))

  test('waits until a whole month has passed, and the tab says until when', () => {
    const cells = nextCells(usual, [], MARCH)
    const crowd = [...usual, ...several(12, { has: ['free-parking'] })]
    const held = nextCells(crowd, cells, MARCH)
    expect(held).toMatchObject([{ surgeUntil: '2026-05-01', members: cells[0]?.members }])
    expect(sizesOf(nextCells(crowd, held, { today: '2026-04-30', quarter: '2026-Q2' }))).toEqual([
      6,
    ])
    const later = nextCells(crowd, held, { today: '2026-05-01', quarter: '2026-Q2' })
    expect(later).toMatchObject([{ entries: 15, surgeUntil: null }])
  })

  test('is ten entries or more, and five times as many as usual, but never a company’s first', () => {
    const surges = (entries: BenefitEntry[]) => [...surgesIn(entries, MARCH.today).keys()]
    expect(surges(several(40))).toEqual([])
    expect(surges([...usual, ...several(9)])).toEqual([])
    expect(surges([...usual, ...several(10)])).toEqual(['acme'])
    const busy = several(30, { month: '2025-11-01' })
    expect(surges([...busy, ...several(12)])).toEqual([])
  })
})

/** Draws from a seed. */
function drawing(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('over a year, no two publications of a number tell about fewer than five people', () => {
  for (let seed = 1; seed <= 4; seed++) {
    const draw = drawing(seed * 7_919)
    /** Each person's entry. Its number rises, even if they remove it. */
    const people: { entry: BenefitEntry; isGiven: boolean }[] = []
    let shown: BenefitCell[] = []
    let [published, single] = [0, 0]
    for (let day = 0; day < 365; day++) {
      const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
      for (let n = draw(4); n > 0; n--) {
        const facts = {
          month: `${date.slice(0, 7)}-01`,
          has: draw(2) ? ['company-pension'] : [],
          daysOff: draw(3) ? 20 + draw(12) : null,
          leaveWeeks: draw(2) ? draw(30) : null,
        }
        const known = people[draw(people.length)]
        if (!known || draw(2)) {
          const companyId = ['acme', 'globex'][draw(2)] as string
          people.push({ entry: entry({ companyId, ...facts }), isGiven: true })
        } else if (draw(3)) {
          known.entry = { ...known.entry, ...facts, version: known.entry.version + 1 }
          known.isGiven = true
        } else known.isGiven = false
      }
      const quarter = `2026-Q${Math.floor(Number(date.slice(5, 7)) / 3.1) + 1}`
      const before = new Map(shown.map((cell) => [cellKey(cell), cell]))
      const isTurn = shown.some((cell) => cell.quarter !== quarter)
      const given = people.flatMap(({ entry, isGiven }) => (isGiven ? entry : []))
      shown = nextCells(given, shown, { today: date, quarter })
      for (const cell of shown) {
        const old = before.get(cellKey(cell))
        // Each person has one entry, so these are people.
        const between = old ? difference(old.members, cell.members).length : cell.members.length
        if (between > 0) published++
        if (between > 0 && between < PAY_BATCH) {
          single++
          expect(isTurn && old, `${seed}, ${date}: ${cellKey(cell)}`).toBeTruthy()
        }
        const least = cell.kind === 'shares' ? SHARES_MIN : MEDIAN_MIN
        expect(cell.members.length).toBeGreaterThanOrEqual(least)
        // A median's entries are exactly those that gave its number, as they are or were.
        const numbers = { shares: 'id', leave: 'leaveWeeks', daysOff: 'daysOff' } as const
        const current = given.filter(
          (it) => it.companyId === cell.companyId && it[numbers[cell.kind]] !== null,
        )
        if (between > 0 && cell.surgeUntil === null)
          expect(difference(cell.members, current)).toEqual([])
      }
    }
    expect(published).toBeGreaterThan(40)
    // Only at a quarter's turn.
    expect(single).toBeLessThan(25)
  }
})
