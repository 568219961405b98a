/**
 * An employer that knows what it pays everyone, and on which days each of them opened the site. It reads every publication
 * about pay for a year, and asks whose each new entry is. The site's own rules publish (pay-cells.ts). Six planted leaks
 * are what a careless site would show or store.
 */
import { quarterOf } from '#app/api/credential/quarter.ts'
import { DAY_MS, dayOf } from '#app/platform/days.server.ts'
import { coarse } from '#app/ratings/pay/pay.ts'
import {
  cellKey,
  difference,
  nextCells,
  type PayCell,
  type PayEntry,
  quartilesOf,
} from '#app/ratings/pay/pay-cells.ts'
import { type Chance, chanceOf } from '../chaos/chance.ts'
import { type Attack, together } from './attacks.ts'
import type { PlantFound } from './measure.ts'
import type { Question } from './questions.ts'
import { ALONE, type Verdict, verdictOf } from './verdict.ts'

const STARTS_AT = Date.UTC(2026, 0, 1)
const DAYS = 360
const COMPANIES = ['acme', 'globex', 'initech']
/** The largest first. */
const TITLES: [title: string, share: number, middle: number][] = [
  ['nurse', 0.4, 76_000],
  ['cook', 0.2, 55_000],
  ['cleaner', 0.15, 48_000],
  ['administrative-assistant', 0.15, 62_000],
  ['accountant', 0.1, 88_000],
]
const AREAS = ['CH/bern', 'CH/basel', 'CH/elsewhere']
/** The words that people have for a title. */
const OWN_WORDS = 6
const SPREAD = 0.2
/** The shares of those who give their pay, and of these, who change or remove it. */
const GIVING = 0.45
const CHANGING = 0.1
const REMOVING = 0.05
/** How many ways we draw who could have given what's shown, and how many of these we believe. */
const DRAWS = 400
const BELIEVED = 20

interface Employee {
  id: string
  person: number
  company: string
  title: string
  ownWords: number
  area: string
  base: number
  bonus: number
  total: number
  /** Days, in order. */
  visits: number[]
  gives: number | undefined
  changes: number | undefined
  removes: number | undefined
}

/** New entries in a cell. All that's said of any of them is said of all. */
interface Batch {
  night: number
  /** The day after the cell's last change, when the first of them can have been given. */
  since: number
  cell: PayCell
  before: PayCell | undefined
  /** All cells of the company, after that night. */
  cells: PayCell[]
  /** The keys of all cells that changed in that night. */
  changed: Set<string>
  people: Employee[]
}

interface Story {
  staff: Employee[]
  batches: Map<string, Batch>
  /** Those who earn most or least of everyone in their cell. */
  outliers: string[]
  /** The share of entries that lead to one person, for a thief who has the database and the payroll. */
  recognized: number
}

function drawn(chance: Chance, person: number): Employee {
  const normal = Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next())
  let rest = chance.next()
  const [title, , middle] =
    TITLES.find(([, share]) => {
      rest -= share
      return rest < 0
    }) ?? (TITLES[0] as (typeof TITLES)[number])
  // One director among clerks.
  const isDirector = person < COMPANIES.length
  const base = coarse(middle * Math.exp(SPREAD * normal) * (isDirector ? 4 : 1))
  const bonus = coarse(base * 0.1 * chance.next())
  const often = 0.01 + 0.1 * chance.next() ** 2
  const visits = Array.from({ length: DAYS }, (_, day) => day).filter(() => chance.next() < often)
  const isGiving = chance.next() < GIVING || isDirector
  const gives = isGiving ? chance.pick(visits) : undefined
  const later = chance.pick(visits.filter((day) => gives !== undefined && day > gives))
  const what = chance.next()
  return {
    id: `entry of ${person}`,
    ...{ person, title, base, bonus, visits, gives, total: base + bonus },
    company: COMPANIES[person % COMPANIES.length] as string,
    area: chance.pick(AREAS) as string,
    ownWords: chance.between(0, OWN_WORDS),
    changes: what < CHANGING ? later : undefined,
    removes: what > 1 - REMOVING ? later : undefined,
  }
}

const entryOf = (it: Employee, version: number): PayEntry => ({
  ...{ id: it.id, version, companyId: it.company, givenTo: it.company, title: it.title },
  ...{ area: it.area, year: 2026, currency: 'CHF', base: it.base, bonus: it.bonus, equity: 0 },
  isVerified: false,
})

/** @param population of each company */
function yearOf(population: number, seed: number): Story {
  const chance = chanceOf(seed)
  const staff = Array.from({ length: COMPANIES.length * population }, (_, n) => drawn(chance, n))
  const byId = new Map(staff.map((it) => [it.id, it]))
  const entries = new Map<string, PayEntry>()
  const batches = new Map<string, Batch>()
  const outliers: string[] = []
  const lastChange = new Map<string, number>()
  let shown: PayCell[] = []
  for (let night = 0; night < DAYS; night++) {
    for (const it of staff) {
      if (it.gives === night) entries.set(it.id, entryOf(it, 1))
      if (it.changes === night)
        entries.set(it.id, { ...entryOf(it, 2), base: it.base + 2_000, bonus: 0 })
      if (it.removes === night) entries.delete(it.id)
    }
    const quarter = quarterOf(dayOf(new Date(STARTS_AT + night * DAY_MS)))
    const next = nextCells([...entries.values()], shown, quarter)
    const former = new Map(shown.map((cell) => [cellKey(cell.scope), cell]))
    const fresh = next.filter((cell) => {
      const before = former.get(cellKey(cell.scope))
      return !before || difference(before.members, cell.members).length > 0
    })
    const changed = new Set(fresh.map(({ scope }) => cellKey(scope)))
    // An entry is sought in the narrowest cell that it's new in.
    const narrow = fresh
      .filter(({ scope }) => scope.companyId)
      .toSorted((one, other) => Number(!one.scope.title) - Number(!other.scope.title))
    for (const cell of narrow) {
      const key = cellKey(cell.scope)
      const before = former.get(key)
      const old = new Set(before?.members.map(({ id }) => id))
      const members = cell.members.map(({ id }) => byId.get(id) as Employee)
      const people = members.filter(
        ({ id, changes = DAYS }) => !old.has(id) && !batches.has(id) && changes > night,
      )
      const cells = next.filter(({ scope }) => scope.companyId === cell.scope.companyId)
      const batch = {
        night,
        since: (lastChange.get(key) ?? -1) + 1,
        cell,
        before,
        cells,
        changed,
        people,
      }
      const totals = members.map(({ total }) => total)
      for (const { id, total } of people) {
        batches.set(id, batch)
        if ([Math.min(...totals), Math.max(...totals)].includes(total)) outliers.push(id)
      }
    }
    for (const key of changed) lastChange.set(key, night)
    shown = next
  }
  const amounts = ({ company, title, area, base, bonus }: Employee) =>
    [company, title, area, base, bonus].join(' ')
  const alike = new Map<string, number>()
  for (const it of staff) alike.set(amounts(it), (alike.get(amounts(it)) ?? 0) + 1)
  const given = [...batches.keys()].map((id) => byId.get(id) as Employee)
  const unique = given.filter((it) => alike.get(amounts(it)) === 1)
  return { staff, batches, outliers, recognized: unique.length / given.length }
}

const visitsIn = ({ since, night }: Batch, { visits }: Employee) =>
  visits.filter((day) => day >= since && day <= night)

/** Their title is the cell's, and they opened the site in time. */
const crowdOf = (batch: Batch, { staff }: Story) =>
  staff.filter(
    (it) =>
      it.company === batch.cell.scope.companyId &&
      (batch.cell.scope.title ?? it.title) === it.title &&
      visitsIn(batch, it).length > 0,
  )

export const PAY_QUESTION = 'pay → person on the payroll'
export const OUTLIER_QUESTION = 'highest or lowest pay → person'

function questionsOf(story: Story): Question[] {
  const byId = new Map(story.staff.map((it) => [it.id, it]))
  const personOf = (id: string) => byId.get(id) as Employee
  const batchOf = (id: string) => story.batches.get(id) as Batch
  const crowds = new Map<Batch, string[]>()
  const about = (name: string, targets: string[]): Question => ({
    ...{ name, targets, isRight: (one, other) => one === other },
    personOf: (id) => personOf(id).person,
    candidatesOf(id) {
      const batch = batchOf(id)
      const known = crowds.get(batch) ?? crowdOf(batch, story).map((it) => it.id)
      crowds.set(batch, known)
      return known
    },
    /** What the log of connections says, and what a cell says that it's about. */
    guess(id, candidate) {
      const batch = batchOf(id)
      const it = personOf(candidate)
      const inTime = visitsIn(batch, it)
      const gap = batch.night - (inTime.at(-1) as number)
      const { year, currency } = batch.cell.scope
      const isChanged = (scope: Partial<PayCell['scope']>) =>
        batch.changed.has(
          cellKey({ companyId: null, area: null, title: it.title, year, currency, ...scope }),
        )
      return [
        ...[Math.log1p(inTime.length), Math.log1p(it.visits.length), Math.log1p(gap), gap === 0],
        ...[isChanged({ companyId: it.company }), isChanged({ area: it.area })],
      ].map(Number)
    },
  })
  return [about(PAY_QUESTION, [...story.batches.keys()]), about(OUTLIER_QUESTION, story.outliers)]
}

type Numbers = (batch: Batch, candidate: Employee, target: Employee) => number[]

function attackWith(name: string, story: Story, numbers: Numbers): Attack {
  const byId = new Map(story.staff.map((it) => [it.id, it]))
  return {
    name,
    featuresOf: () => (target, candidate) =>
      numbers(
        story.batches.get(target) as Batch,
        byId.get(candidate) as Employee,
        byId.get(target) as Employee,
      ),
  }
}

/** Each knows the payroll, and uses only what's published. */
function attacksOn(story: Story): Attack[] {
  const fits = { one: fitting(story, false), all: fitting(story, true) }
  const ofBoth = (it: Employee) => [['total', it.total] as const, ['base', it.base] as const]
  return [
    attackWith('payroll fitted to a cell', story, (batch, it) => [fits.one(batch, it)]),
    attackWith('two cells’ difference', story, (batch, it) => [fits.all(batch, it)]),
    attackWith('every publication, polled', story, ({ cell, before = cell }, it) =>
      ofBoth(it).flatMap(([measure, mine]) =>
        before.quartiles[measure].flatMap((old, n) => {
          const moved = (cell.quartiles[measure][n] as number) - old
          return [Math.sign(moved) * Math.sign(mine - old), (moved / old) * Math.sign(mine - old)]
        }),
      ),
    ),
    attackWith('outliers', story, ({ cell, before = cell }, it) =>
      ofBoth(it).flatMap(([measure, mine]) => {
        const [low, middle, high] = cell.quartiles[measure]
        const isRaised = high > before.quartiles[measure][2]
        const isOut = [mine > 1.5 * high, mine < 0.7 * low, isRaised && mine > high]
        return [Math.abs(Math.log(mine / middle)), ...isOut.map(Number)]
      }),
    ),
  ]
}

/**
 * Draws who could have given what's shown, believes the draws that come nearest, and counts how often someone is in these
 * more than in all.
 * @param isOfAll fits all of the company's cells at once, so what one has and another one doesn't counts, too
 */
function fitting(story: Story, isOfAll: boolean) {
  const known = new Map<Batch, Map<string, number>>()
  return (batch: Batch, { id }: Employee) => {
    const found = known.get(batch) ?? fittedTo(batch, story, isOfAll)
    known.set(batch, found)
    return found.get(id) ?? 0
  }
}

function fittedTo(batch: Batch, { staff }: Story, isOfAll: boolean) {
  const chance = chanceOf(batch.night)
  const { companyId, currency, year } = batch.cell.scope
  const pool = staff.filter(
    (it) => it.company === companyId && (it.visits[0] ?? DAYS) <= batch.night,
  )
  const cells = isOfAll
    ? batch.cells.filter(({ scope }) => scope.currency === currency && scope.year === year)
    : [batch.cell]
  const titles = new Set(cells.map(({ scope }) => scope.title))
  // Their counts are rounded down to fives.
  const draw = (from: Employee[], n: number) => someOf(from, Math.max(0, n) + 2, chance)
  const whole = cells.find(({ scope }) => scope.title === null)
  const draws = Array.from({ length: DRAWS }, () => {
    const parts = cells.flatMap(({ scope, entries }) =>
      scope.title
        ? [
            draw(
              pool.filter((it) => it.title === scope.title),
              entries,
            ),
          ]
        : [],
    )
    const named = parts.flat()
    const others = pool.filter((it) => !titles.has(it.title))
    const all = whole ? [...named, ...draw(others, whole.entries - named.length)] : named
    const groups = cells.map((cell) =>
      cell.scope.title ? all.filter((it) => it.title === cell.scope.title) : all,
    )
    return {
      all,
      away: groups.reduce((sum, group, n) => sum + awayFrom(cells[n] as PayCell, group), 0),
    }
  })
  const often = (some: typeof draws) => {
    const counts = new Map<string, number>()
    for (const { all } of some)
      for (const { id } of all) counts.set(id, (counts.get(id) ?? 0) + 1 / some.length)
    return counts
  }
  const believed = often(draws.toSorted((one, other) => one.away - other.away).slice(0, BELIEVED))
  const anyway = often(draws)
  return new Map(pool.map(({ id }) => [id, (believed.get(id) ?? 0) - (anyway.get(id) ?? 0)]))
}

function someOf(from: Employee[], size: number, chance: Chance) {
  const rest = [...from]
  for (let n = 0; n < Math.min(size, rest.length); n++) {
    const other = chance.between(n, rest.length)
    const it = rest[n] as Employee
    rest[n] = rest[other] as Employee
    rest[other] = it
  }
  return rest.slice(0, size)
}

const awayFrom = ({ quartiles }: PayCell, group: Employee[]) =>
  (['total', 'base'] as const).reduce((sum, measure) => {
    const theirs = quartilesOf(group.map((it) => it[measure]))
    return (
      sum +
      theirs.reduce(
        (all, one, n) => all + Math.abs(Math.log((one || 1) / (quartiles[measure][n] as number))),
        0,
      )
    )
  }, 0)

interface Plant {
  leak: string
  question?: string
  numbers: Numbers
}

const isSame = (...pairs: [unknown, unknown][]) =>
  Number(pairs.every(([one, other]) => one === other))

const PLANTS: Plant[] = [
  {
    leak: 'pay: a single entry shown',
    numbers: (_, it, target) => [isSame([it.base, target.base], [it.bonus, target.bonus])],
  },
  {
    // The days on which it rose, but not for whom.
    leak: 'pay: a live count',
    numbers: ({ people }, { visits }) => {
      const days = people.map(({ gives }) => gives as number)
      return [days.filter((day) => visits.includes(day)).length / days.length]
    },
  },
  {
    leak: 'pay: a stored day',
    numbers: (_, { visits }, { gives }) => [Number(visits.includes(gives as number))],
  },
  {
    leak: 'pay: a title in one’s own words',
    numbers: (_, it, target) => [isSame([it.title, target.title], [it.ownWords, target.ownWords])],
  },
  {
    leak: 'pay: cells of one person',
    numbers: (_, it, target) => [isSame([it.title, target.title], [it.area, target.area])],
  },
  {
    leak: 'pay: the highest and lowest',
    question: OUTLIER_QUESTION,
    numbers: (_, it, target) => [isSame([it.total, target.total])],
  },
]

export interface PayrollFound {
  verdicts: Verdict[]
  plants: PlantFound[]
  recognized: number
}

/** @param population people on each of three payrolls */
export function attackByPayroll(population: number, seed: number): PayrollFound {
  const story = yearOf(population, seed)
  const questions = questionsOf(story)
  const attacks = attacksOn(story)
  const all = together('all together', attacks)
  const copy = `published, of ${population}`
  const verdicts = questions.flatMap((question) =>
    [...attacks, all].map((attack) => verdictOf(question, attack, copy)),
  )
  const plants = PLANTS.map(({ leak, question: name = PAY_QUESTION, numbers }) => {
    const question = questions.find((it) => it.name === name) as Question
    const verdict = verdictOf(question, attackWith('what it shows', story, numbers), copy, ALONE)
    const isClean = verdicts.every((it) => it.question !== name || it.passes)
    return { leak, isClean, caught: !verdict.passes, verdict }
  })
  return { verdicts, plants, recognized: story.recognized }
}
