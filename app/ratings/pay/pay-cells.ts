/**
 * Which numbers about pay are public. A cell is a company's entries of a year and currency, those of one title there, or
 * a title's in one area. Any two public cells, of this publication and the one before, hold the same entries or differ
 * by at least five people's, and so does a company from all its public titles together. No I/O here.
 */
import { MEASURES, type Measure, PAY_BATCH, PAY_MIN } from './pay.ts'

/** Someone may change jobs, so in numbers across companies two entries may be one person's. */
const JOBS_A_YEAR = 2

export interface Scope {
  /** Null across companies. */
  companyId: string | null
  /** Null for all titles, which only a company has. */
  title: string | null
  /** Null for everywhere, which only a company has. */
  area: string | null
  year: number
  currency: string
}

export interface Member {
  id: string
  version: number
  /** The company it was given to. Each person gave it one entry of a year. */
  givenTo: string
}

export interface PayEntry extends Member {
  companyId: string
  title: string
  area: string
  year: number
  currency: string
  base: number
  bonus: number
  equity: number
  isVerified: boolean
}

/** The first and third quartile, and the median between them. */
type Quartiles = [number, number, number]

export interface PayNumbers {
  /** Rounded down to fives. */
  entries: number
  /** How many of four are verified, about. */
  verified: number
  quartiles: Record<Measure, Quartiles>
}

export interface PayCell extends PayNumbers {
  scope: Scope
  members: Member[]
  /** The quarter it was last looked at in. */
  quarter: string
}

export const cellKey = ({ companyId, title, area, year, currency }: Scope) =>
  [companyId, title, area, year, currency].map((part) => part ?? '').join(' ')

/** How many people gave these, at least. */
export function peopleIn(members: readonly Pick<Member, 'givenTo'>[]): number {
  const given = new Map<string, number>()
  for (const { givenTo } of members) given.set(givenTo, (given.get(givenTo) ?? 0) + 1)
  return Math.max(0, ...given.values(), Math.ceil(members.length / JOBS_A_YEAR))
}

/** What only one of them has, in this version. */
export function difference(one: readonly Member[], other: readonly Member[]): Member[] {
  const versions = new Map(other.map(({ id, version }) => [id, version]))
  const ids = new Set(one.map(({ id }) => id))
  return [
    ...one.filter(({ id, version }) => versions.get(id) !== version),
    ...other.filter(({ id }) => !ids.has(id)),
  ]
}

const isSame = (one: readonly Member[], other: readonly Member[]) =>
  difference(one, other).length === 0

/** Subtracting them tells about nobody, or about enough people. */
const isTellingLittle = (one: readonly Member[], other: readonly Member[]) => {
  const differing = difference(one, other)
  return differing.length === 0 || peopleIn(differing) >= PAY_BATCH
}

/**
 * The next publication: all cells in one run. A cell that's public changes once five people's entries differ, or at the
 * turn of a quarter. Where it can't without telling about fewer than five, it stays, or goes at a quarter's turn, if it
 * shows entries that are no longer given.
 */
export function nextCells(
  entries: readonly PayEntry[],
  shown: readonly PayCell[],
  quarter: string,
): PayCell[] {
  const now = grouped(entries)
  const publication = new Publication(shown, now)
  const keys = [...now.keys(), ...publication.keys().filter((key) => !now.has(key))]
  for (const key of keys) {
    const before = publication.get(key)
    const group = now.get(key) ?? []
    const changed = difference(before?.members ?? [], group)
    const isTurn = before !== undefined && before.quarter !== quarter
    if (changed.length === 0 || !(isTurn || peopleIn(changed) >= PAY_BATCH)) continue
    const next = peopleIn(group) >= PAY_MIN ? cellOf(scopeIn(key), group, quarter) : undefined
    if (next && publication.allows(next, isTurn)) publication.set(next)
    else if (!next || (isTurn && hasGone(before, group))) publication.remove(key)
  }
  return publication.cells().map((cell) => ({ ...cell, quarter }))
}

const hasGone = ({ members }: PayCell, group: readonly Member[]) =>
  difference(members, group).some(({ id }) => members.some((member) => member.id === id))

/** The widest first, because narrow ones give way. */
function grouped(entries: readonly PayEntry[]): Map<string, PayEntry[]> {
  const kinds: ((entry: PayEntry) => Partial<Scope>)[] = [
    ({ companyId }) => ({ companyId }),
    ({ companyId, title }) => ({ companyId, title }),
    ({ title, area }) => ({ title, area }),
  ]
  return new Map(
    kinds.flatMap((kind) => {
      const groups = new Map<string, PayEntry[]>()
      for (const entry of entries) {
        const { year, currency } = entry
        const none = { companyId: null, title: null, area: null }
        const key = cellKey({ ...none, year, currency, ...kind(entry) })
        const group = groups.get(key)
        if (group) group.push(entry)
        else groups.set(key, [entry])
      }
      return [...groups].toSorted(
        ([key, one], [other, two]) => two.length - one.length || (key < other ? -1 : 1),
      )
    }),
  )
}

function scopeIn(key: string): Scope {
  const [companyId, title, area, year, currency = ''] = key.split(' ')
  return {
    companyId: companyId || null,
    title: title || null,
    area: area || null,
    year: Number(year),
    currency,
  }
}

/** What's public after this run so far, and what was before, which people remember. */
class Publication {
  readonly #before: Map<string, PayCell>
  readonly #after: Map<string, PayCell>
  /** All cells that ever held an entry, by its id. */
  readonly #holding = new Map<string, Set<PayCell>>()

  constructor(
    shown: readonly PayCell[],
    readonly now: ReadonlyMap<string, readonly PayEntry[]>,
  ) {
    this.#before = new Map(shown.map((cell) => [cellKey(cell.scope), cell]))
    this.#after = new Map(this.#before)
    for (const cell of shown) this.#note(cell)
  }

  keys = () => [...this.#before.keys()]
  get = (key: string) => this.#before.get(key)
  cells = () => [...this.#after.values()]
  remove = (key: string) => this.#after.delete(key)

  set(cell: PayCell) {
    this.#after.set(cellKey(cell.scope), cell)
    this.#note(cell)
  }

  #note(cell: PayCell) {
    for (const { id } of cell.members)
      this.#holding.set(id, (this.#holding.get(id) ?? new Set()).add(cell))
  }

  allows(next: PayCell, isTurn: boolean): boolean {
    const before = this.#before.get(cellKey(next.scope))?.members
    /** It held the same entries as this cell, and will again, so at a quarter's turn both change alike. */
    const isTwin = ({ scope, members }: PayCell) =>
      isTurn &&
      before !== undefined &&
      isSame(members, before) &&
      isSame(this.now.get(cellKey(scope)) ?? [], next.members)
    // Cells without a common entry differ by ten people at least.
    const related = new Set(next.members.flatMap(({ id }) => [...(this.#holding.get(id) ?? [])]))
    return (
      [...related].every((cell) => isTwin(cell) || isTellingLittle(cell.members, next.members)) &&
      [this.#before, this.#after].every((cells) => leavesEnough(next, [...cells.values()], isTwin))
    )
  }
}

/** Whether a company and its public titles together do. */
function leavesEnough(next: PayCell, cells: PayCell[], isTwin: (cell: PayCell) => boolean) {
  const { companyId, title, year, currency } = next.scope
  if (companyId === null) return true
  const others = cells.filter(
    ({ scope }) =>
      scope.companyId === companyId &&
      scope.year === year &&
      scope.currency === currency &&
      scope.title !== title,
  )
  const whole = title === null ? next : others.find(({ scope }) => scope.title === null)
  const titles = others.filter(({ scope }) => scope.title !== null)
  const parts = title === null ? titles : [...titles, next]
  const [other] = others
  if (!whole || parts.length === 0 || (others.length === 1 && other && isTwin(other))) return true
  return isTellingLittle(
    whole.members,
    parts.flatMap(({ members }) => members),
  )
}

export function cellOf(scope: Scope, group: readonly PayEntry[], quarter: string): PayCell {
  const amounts = (measure: Measure) =>
    quartilesOf(
      group.map(({ base, bonus, equity }) =>
        measure === 'total' ? base + bonus + equity : { base, bonus, equity }[measure],
      ),
    )
  const verified = group.filter(({ isVerified }) => isVerified).length
  return {
    scope,
    members: group
      .map(({ id, version, givenTo }) => ({ id, version, givenTo }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    quarter,
    entries: Math.floor(group.length / 5) * 5,
    verified: Math.round((4 * verified) / group.length),
    quartiles: Object.fromEntries(
      MEASURES.map((measure) => [measure, amounts(measure)]),
    ) as PayNumbers['quartiles'],
  }
}

/** Each is the mean of at least three neighbors, so none is one person's, and the ends aren't among them. */
export function quartilesOf(amounts: readonly number[]): Quartiles {
  const sorted = amounts.toSorted((one, other) => one - other)
  const reach = Math.max(1, Math.floor(sorted.length / 20))
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => {
    const at = Math.round(share * (sorted.length - 1))
    const near = sorted.slice(at - reach, at + reach + 1)
    return twoFigures(near.reduce((sum, amount) => sum + amount, 0) / near.length)
  })
  return [low ?? 0, middle ?? 0, high ?? 0]
}

/** 124,000 is 120,000, and 81,600 is 82,000. */
export function twoFigures(amount: number): number {
  if (amount < 1) return 0
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(amount)) - 1)
  return Math.round(amount / unit) * unit
}
