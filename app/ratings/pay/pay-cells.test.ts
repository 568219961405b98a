/** What's published about pay, over a year of made-up people. */
import { describe, expect, test } from 'vitest'
import fc from '#tests/support/fast-check.ts'
import { PAY_BATCH, PAY_MIN } from './pay.ts'
import {
  cellKey,
  difference,
  type Member,
  nextCells,
  type PayCell,
  type PayEntry,
  peopleIn,
  quartilesOf,
  twoFigures,
} from './pay-cells.ts'

let made = 0
const entry = (over: Partial<PayEntry> = {}): PayEntry => ({
  id: String(++made).padStart(6, '0'),
  version: 1,
  companyId: 'acme',
  givenTo: over.companyId ?? 'acme',
  title: 'nurse',
  area: 'CH/bern',
  year: 2026,
  currency: 'CHF',
  base: 80_000,
  bonus: 0,
  equity: 0,
  isVerified: false,
  ...over,
})
const several = (n: number, over: Partial<PayEntry> = {}) =>
  Array.from({ length: n }, (_, i) => entry({ base: 60_000 + i * 1_000, ...over }))
const shownOf = (cells: PayCell[]) =>
  cells.map(({ scope }) => [scope.companyId, scope.title, scope.area].filter(Boolean).join(' '))
const Q1 = '2026-Q1'

describe('a cell', () => {
  test('is published from ten people on, with its count in fives and quartiles in two figures', () => {
    expect(nextCells(several(9), [], Q1)).toEqual([])
    const [cell] = nextCells(
      several(13).map((it, i) => ({ ...it, isVerified: i % 2 === 0, bonus: 5_000 })),
      [],
      Q1,
    )
    expect(cell).toMatchObject({
      entries: 10,
      verified: 2,
      quartiles: {
        base: [63_000, 66_000, 69_000],
        bonus: [5_000, 5_000, 5_000],
        equity: [0, 0, 0],
        total: [68_000, 71_000, 74_000],
      },
    })
  })

  test('changes once five people’s entries differ, or at the turn of a quarter', () => {
    const first = several(12)
    const cells = nextCells(first, [], Q1)
    const sizes = (next: PayCell[]) => next.map(({ members }) => members.length)
    expect(sizes(nextCells([...first, ...several(4)], cells, Q1))).toEqual(sizes(cells))
    const changed = first.map((it, i) => (i < 4 ? { ...it, version: 2, base: 200_000 } : it))
    expect(nextCells(changed, cells, Q1)).toEqual(cells)
    expect(sizes(nextCells([...first, ...several(5)], cells, Q1))).toEqual([17, 17, 17])
    expect(sizes(nextCells([...first, ...several(1)], cells, '2026-Q2'))).toEqual([13, 13, 13])
  })

  test('goes when fewer than ten people are left', () => {
    const first = several(12)
    const cells = nextCells(first, [], Q1)
    expect(nextCells(first.slice(4), cells, Q1)).toEqual(cells)
    expect(nextCells(first.slice(5), cells, Q1)).toEqual([])
    expect(nextCells(first.slice(4), cells, '2026-Q2')).toEqual([])
  })

  test('is withheld if it and a wider one leave fewer than five people', () => {
    const entries = [...several(10, { area: 'CH/basel' }), ...several(4, { title: 'cook' })]
    expect(shownOf(nextCells(entries, [], Q1))).toEqual(['acme'])
    expect(shownOf(nextCells([...entries, ...several(1, { title: 'cook' })], [], Q1))).toEqual([
      'acme',
      'acme nurse',
      'nurse CH/basel',
    ])
  })

  test('is withheld if all titles together leave fewer than five', () => {
    const entries = [
      ...several(11),
      ...several(10, { title: 'cook' }),
      ...several(3, { title: 'cleaner' }),
    ].map((it, i) => ({ ...it, area: `CH/${i}` }))
    expect(shownOf(nextCells(entries, [], Q1))).toEqual(['acme', 'acme nurse'])
  })

  test('waits if the wider one of the publication before would tell about fewer than five', () => {
    const nurses = several(10).map((it, i) => ({ ...it, area: `CH/${i}` }))
    const before = nextCells(nurses, [], Q1)
    expect(shownOf(before)).toEqual(['acme', 'acme nurse'])
    const withCooks = [...nurses, ...several(2, { title: 'cook' })]
    // Even at a quarter's turn, two cooks aren't what's left of the company without its nurses.
    const after = nextCells(withCooks, before, '2026-Q2')
    expect(after.map(({ members }) => members.length)).toEqual([10, 10])
  })

  test('counts two entries of a person in numbers across companies as one person’s', () => {
    const across = Array.from({ length: 18 }, (_, i) => entry({ companyId: `c${i}` }))
    expect(nextCells(across, [], Q1)).toEqual([])
    expect(nextCells([...across, entry({ companyId: 'c18' })], [], Q1)).toHaveLength(1)
    // Each of them may have worked at both companies, before those were merged.
    const merged = [...several(9), ...several(9).map((it) => ({ ...it, givenTo: 'former' }))]
    expect(nextCells(merged, [], Q1)).toEqual([])
  })
})

describe('quartiles', () => {
  test('are the means of three neighbors, without the ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: PAY_MIN, maxLength: 80 }),
        (thousands) => {
          const amounts = thousands.map((it) => it * 1_000)
          const quartiles = quartilesOf(amounts)
          expect(quartiles).toEqual(quartiles.toSorted((a, b) => a - b))
          // A director among clerks changes nothing.
          const highest = amounts.indexOf(Math.max(...amounts))
          expect(quartilesOf(amounts.with(highest, 90_000_000))).toEqual(quartiles)
          for (const one of quartiles) expect(one).toBe(twoFigures(one))
        },
      ),
    )
    expect([0, 7, 81_600, 124_000, 999_000].map(twoFigures)).toEqual([
      0, 7, 82_000, 120_000, 1_000_000,
    ])
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

interface Person {
  entries: PayEntry[]
}

/** The people whose entry only one of two sets has. */
function peopleBetween(one: Member[], other: Member[], ownerOf: Map<string, number>) {
  const versions = (members: Member[]) =>
    new Set(members.map(({ id, version }) => `${id} ${version}`))
  const [a, b] = [versions(one), versions(other)]
  const differing = [...a].filter((it) => !b.has(it)).concat([...b].filter((it) => !a.has(it)))
  return new Set(differing.map((it) => ownerOf.get(it.split(' ')[0] as string))).size
}

const subsetsOf = <Item>(items: Item[]): Item[][] =>
  Array.from({ length: 2 ** items.length }, (_, bits) => items.filter((_, i) => bits & (1 << i)))

test('over a year, no two public numbers tell about fewer than five people', () => {
  for (let seed = 1; seed <= 3; seed++) {
    const draw = drawing(seed * 7_919)
    const people: Person[] = []
    const ownerOf = new Map<string, number>()
    /** A person has one row per company, and its number rises, even if they removed it. */
    const rows = new Map<string, PayEntry>()
    const give = (who: number, companyId: string) => {
      const row = rows.get(`${who} ${companyId}`)
      const given = entry({
        companyId,
        ...(row && { id: row.id, version: row.version + 1 }),
        title: ['nurse', 'cook', 'cleaner', 'pilot'][Math.floor(draw(16) ** 0.5)] as string,
        area: ['CH/bern', 'CH/basel', 'CH/remote'][draw(3)] as string,
        base: 1_000 * (40 + draw(90)),
      })
      rows.set(`${who} ${companyId}`, given)
      ownerOf.set(given.id, who)
      ;(people[who] as Person).entries.push(given)
    }
    let shown: PayCell[] = []
    let [published, compared, changes] = [0, 0, 0]
    for (let day = 0; day < 365; day++) {
      for (let n = draw(4); n > 0; n--) {
        const what = draw(10)
        const who = draw(people.length)
        const own = people[who]?.entries ?? []
        const first = own[0]
        if (what < 5 || !first) {
          people.push({ entries: [] })
          give(people.length - 1, ['acme', 'globex', 'initech'][draw(3)] as string)
        } else if (what < 7) {
          own[0] = { ...first, version: first.version + 1, base: 99_000 }
          rows.set(`${who} ${first.companyId}`, own[0])
        } else if (what < 9) own.shift()
        else if (own.length === 1) give(who, first.companyId === 'acme' ? 'globex' : 'acme')
      }
      const before = shown
      const quarter = `2026-Q${Math.floor((day * 4) / 365) + 1}`
      const isTurn = before.some((cell) => cell.quarter !== quarter)
      shown = nextCells(
        people.flatMap(({ entries }) => entries),
        before,
        quarter,
      )
      const keys = new Map(before.map((cell) => [cellKey(cell.scope), cell]))
      const fresh = shown.filter((cell) => {
        const old = keys.get(cellKey(cell.scope))
        return !old || difference(old.members, cell.members).length > 0
      })
      published += fresh.length
      for (const cell of fresh) {
        const old = keys.get(cellKey(cell.scope))
        for (const other of [...before, ...shown]) {
          const isOwnPast = isTurn && old && difference(other.members, old.members).length === 0
          const between = peopleBetween(cell.members, other.members, ownerOf)
          compared++
          if (between > 0 && between < PAY_BATCH) {
            changes++
            expect(isOwnPast, `${seed}, day ${day}: ${cellKey(cell.scope)}`).toBeTruthy()
          }
        }
        expect(new Set(cell.members.map(({ id }) => ownerOf.get(id))).size).toBeGreaterThanOrEqual(
          PAY_MIN,
        )
      }
      if (fresh.length === 0) continue
      // A company without some of its titles, all from one publication.
      for (const cells of [shown, before])
        for (const whole of shown.filter(({ scope }) => scope.companyId && !scope.title)) {
          const titles = cells.filter(
            ({ scope }) => scope.title && scope.companyId === whole.scope.companyId,
          )
          for (const some of subsetsOf(titles).filter((it) => it.length > 1)) {
            const parts = some.flatMap(({ members }) => members)
            const left = peopleBetween(whole.members, parts, ownerOf)
            expect(left === 0 || left >= PAY_BATCH, `${seed}, day ${day}: without titles`).toBe(
              true,
            )
          }
        }
    }
    expect(published).toBeGreaterThan(40)
    expect(compared).toBeGreaterThan(500)
    // Only at a quarter's turn, of a cell and itself.
    expect(changes).toBeLessThan(60)
  }
})

test('people are at least as many as entries at one company', () => {
  expect(peopleIn(several(7))).toBe(7)
  expect(peopleIn([])).toBe(0)
})
