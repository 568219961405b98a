/**
 * Which numbers about benefits are public. A cell is one kind of number of a company's entries of a year. Shares have the
 * same entries, so they can't be subtracted from each other. A median has the entries that gave its number, and nothing
 * else is said about those. So only two publications of a cell can be compared, and they hold the same entries or differ
 * by at least five people's, except at a quarter's turn. No I/O here.
 */
import { PAY_BATCH } from '../pay/pay.ts'
import { difference, type Member, peopleIn, quartilesOf } from '../pay/pay-cells.ts'
import { SURGE_FACTOR, SURGE_MIN } from '../rating.ts'
import { BENEFITS, type Benefits, MEDIAN_MIN, SHARES_MIN } from './benefits.ts'

export interface BenefitEntry extends Member, Benefits {
  companyId: string
  year: number
  /** Of its last change, such as 2026-03-01. */
  month: string
}

export type CellKind = 'shares' | 'leave' | 'daysOff'

export interface Scope {
  companyId: string
  year: number
  kind: CellKind
}

/** For each benefit, how many of four have it, and how many use it. */
export type Shares = Record<string, [have: number, use: number]>

export interface BenefitCell extends Scope {
  /** Rounded down to fives. */
  entries: number
  shares: Shares | null
  median: number | null
  members: Member[]
  /** The quarter it was last looked at in. */
  quarter: string
  /** The day from which entries of a surge count. */
  surgeUntil: string | null
}

const NUMBER_OF = {
  leave: ({ leaveWeeks }: Benefits) => leaveWeeks,
  daysOff: ({ daysOff }: Benefits) => daysOff,
}

export const cellKey = ({ companyId, year, kind }: Scope) => `${companyId} ${year} ${kind}`

/** The next publication. @param today a day, in `quarter` */
export function nextCells(
  given: readonly BenefitEntry[],
  shown: readonly BenefitCell[],
  { today, quarter }: { today: string; quarter: string },
): BenefitCell[] {
  const surges = surgesIn(given, today)
  const groups = grouped(
    given.filter(({ companyId, month }) => !isIn(surges.get(companyId), month)),
  )
  const before = new Map(shown.map((cell) => [cellKey(cell), cell]))
  return [...new Set([...groups.keys(), ...before.keys()])].flatMap((key) => {
    const [old, group = []] = [before.get(key), groups.get(key)]
    const [companyId = '', year, kind] = key.split(' ')
    const surgeUntil = surges.get(companyId)?.until ?? null
    const changed = difference(old?.members ?? [], group)
    const isTurn = old !== undefined && old.quarter !== quarter
    if (changed.length === 0 || !(isTurn || peopleIn(changed) >= PAY_BATCH))
      return old ? [{ ...old, quarter, surgeUntil }] : []
    const scope = { companyId, year: Number(year), kind: kind as CellKind }
    const isEnough = peopleIn(group) >= (kind === 'shares' ? SHARES_MIN : MEDIAN_MIN)
    return isEnough ? [{ ...scope, ...numbersOf(scope.kind, group), quarter, surgeUntil }] : []
  })
}

function grouped(entries: readonly BenefitEntry[]): Map<string, BenefitEntry[]> {
  const groups = new Map<string, BenefitEntry[]>()
  for (const entry of entries)
    for (const kind of ['shares', 'leave', 'daysOff'] as const) {
      if (kind !== 'shares' && NUMBER_OF[kind](entry) === null) continue
      const key = cellKey({ ...entry, kind })
      const group = groups.get(key)
      if (group) group.push(entry)
      else groups.set(key, [entry])
    }
  return groups
}

function numbersOf(kind: CellKind, group: readonly BenefitEntry[]) {
  const share = (list: 'has' | 'uses', key: string) =>
    quartersOf(group.filter((entry) => entry[list].includes(key)).length, group.length)
  return {
    entries: Math.floor(group.length / 5) * 5,
    shares:
      kind === 'shares'
        ? Object.fromEntries(
            BENEFITS.map(({ key }): [string, Shares[string]] => [
              key,
              [share('has', key), share('uses', key)],
            ]),
          )
        : null,
    // The mean of at least three neighbors, so it's never one person's.
    median: kind === 'shares' ? null : quartilesOf(group.map((it) => NUMBER_OF[kind](it) ?? 0))[1],
    members: group
      .map(({ id, version, givenTo }) => ({ id, version, givenTo }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  }
}

/** One counts as none, and all but one as all, so a share never says what each of them has. */
export function quartersOf(count: number, of: number): number {
  if (count <= 1) return 0
  return count >= of - 1 ? 4 : Math.round((4 * count) / of)
}

interface Surge {
  months: string[]
  /** The day from which they count. */
  until: string
}

const isIn = (surge: Surge | undefined, month: string) => surge?.months.includes(month) === true

/**
 * As for ratings, a month with at least ten entries and five times the mean of the twelve before is a surge. Its entries
 * count once a whole month has passed, so a crowd that someone called up can't change shares at once.
 */
export function surgesIn(given: readonly BenefitEntry[], today: string): Map<string, Surge> {
  const surges = new Map<string, Surge>()
  for (const month of [monthBefore(today, 1), monthBefore(today, 0)]) {
    const year = monthBefore(month, 12)
    const now = countsOf(given.filter((entry) => entry.month === month))
    const before = countsOf(given.filter((entry) => entry.month >= year && entry.month < month))
    for (const [id, count] of now) {
      const usual = (before.get(id) ?? 0) / 12
      // A company that's new here has no usual number.
      if (usual === 0 || count < SURGE_MIN || count < SURGE_FACTOR * usual) continue
      const months = [...(surges.get(id)?.months ?? []), month]
      surges.set(id, { months, until: monthBefore(month, -2) })
    }
  }
  return surges
}

function countsOf(entries: readonly BenefitEntry[]) {
  const counts = new Map<string, number>()
  for (const { companyId } of entries) counts.set(companyId, (counts.get(companyId) ?? 0) + 1)
  return counts
}

function monthBefore(day: string, months: number) {
  const date = new Date(`${day.slice(0, 7)}-01`)
  date.setUTCMonth(date.getUTCMonth() - months)
  return date.toISOString().slice(0, 10)
}
