/**
 * Ways to link two things to one person. Each turns a pair into numbers, from which learn.ts learns. Each also knows what
 * anyone can guess, and is judged by how much more it finds.
 */
import type { Clock, Evidence, Family, Trace } from './evidence.ts'
import type { Loot, Row } from './loot.ts'
import { tokensIn } from './loot.ts'
import type { Question } from './questions.ts'
import { companyOf, type Truth } from './truth.ts'

export interface Attack {
  name: string
  /** A pair's numbers, always the same count. */
  featuresOf(question: Question): (target: string, candidate: string) => number[]
}

type Pairing = (mine: Clock, theirs: Clock) => boolean

/** How close in time the rows of the two were written, by every pair of clocks of the same kind in these families. */
export const byClocks = (
  name: string,
  families: readonly Family[],
  { traceOf }: Evidence,
  pairing: Pairing = () => true,
): Attack => ({
  name,
  featuresOf(question) {
    const clocksOf = (id: string) =>
      traceOf(id).clocks.filter(({ family }) => families.includes(family))
    const pairs = pairsOf(question, clocksOf).filter(([mine, theirs]) => pairing(mine, theirs))
    const momentsOf = (side: 0 | 1) => {
      const known = new Map<string, (number[] | undefined)[]>()
      return (id: string) => {
        const found = known.get(id)
        if (found) return found
        const byName = new Map(clocksOf(id).map((clock) => [nameOf(clock), clock.moments]))
        const moments = pairs.map((pair) => byName.get(nameOf(pair[side])))
        known.set(id, moments)
        return moments
      }
    }
    const mine = momentsOf(0)
    const theirs = momentsOf(1)
    const kinds = pairs.map(([{ kind }]) => kind)
    return (target, candidate) => {
      const one = mine(target)
      const other = theirs(candidate)
      return pairs.flatMap((_, n) => gapsOf(one[n], other[n], kinds[n]))
    }
  },
})

const nameOf = ({ family, source, kind }: Clock) => `${family} ${source} ${kind}`

/** Every two clocks of the same kind that a target and a candidate have. */
function pairsOf(question: Question, clocksOf: (id: string) => Clock[]): [Clock, Clock][] {
  const mine = new Map<string, Clock>()
  const theirs = new Map<string, Clock>()
  for (const target of question.targets)
    for (const clock of clocksOf(target)) mine.set(nameOf(clock), clock)
  for (const candidate of question.candidatesOf(question.targets[0] ?? ''))
    for (const clock of clocksOf(candidate)) theirs.set(nameOf(clock), clock)
  return [...mine.values()].flatMap((one) =>
    [...theirs.values()]
      .filter(({ family, kind }) => kind === one.kind && family === one.family)
      // If two owners have the same rows, they're the same owner: joins already show that.
      .filter(({ source }) => source !== 'all' || one.source !== 'all')
      .map((other): [Clock, Clock] => [one, other]),
  )
}

const FAR = 20
const DAY_MINUTES = 1_440
const dayOf = (minute: number) => Math.floor(minute / DAY_MINUTES)

/**
 * The gap since the candidate's last moment, the gap to its next one, whether one is the same, and for times whether one is
 * on the same day.
 */
function gapsOf(
  mine: number[] | undefined,
  theirs: number[] | undefined,
  kind: string | undefined,
) {
  if (!mine || !theirs) return [FAR, FAR, 0, 0]
  let before = Number.POSITIVE_INFINITY
  let after = Number.POSITIVE_INFINITY
  for (const moment of mine) {
    let low = 0
    let high = theirs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((theirs[middle] as number) < moment) low = middle + 1
      else high = middle
    }
    const next = theirs[low]
    const last = next === moment ? next : theirs[low - 1]
    if (next !== undefined) after = Math.min(after, next - moment)
    if (last !== undefined) before = Math.min(before, moment - last)
  }
  const step = kind === 'rank' ? 1_000 : 1
  const size = (gap: number) => Math.min(FAR, Math.log1p(gap * step))
  const days = new Set(kind === 'minute' ? theirs.map(dayOf) : [])
  const isSameDay = mine.some((moment) => days.has(dayOf(moment)))
  return [size(before), size(after), before === 0 ? 1 : 0, isSameDay ? 1 : 0]
}

/** Whether the two share keys, and in which tables the candidate's owner has rows about the target's company. */
export const byJoins = (
  name: string,
  { traceOf }: Evidence,
  truth: Truth,
  only: (table: string) => boolean = () => true,
): Attack => ({
  name,
  featuresOf(question) {
    const tables = new Set<string>()
    for (const candidate of question.candidatesOf(question.targets[0] ?? ''))
      for (const [table, companies] of traceOf(candidate).mentions)
        if (companies.size > 0 && only(table)) tables.add(table)
    return (target, candidate) => {
      const one = traceOf(target)
      const other = traceOf(candidate)
      const about = [...tables].map((table) =>
        other.mentions.get(table)?.has(companyOf(truth, target) ?? '') ? 1 : 0,
      )
      return [one.owner >= 0 && one.owner === other.owner ? 1 : 0, ...about]
    }
  },
})

/** What's new or changed since the previous day's copy, and what else is. */
export const byTwoCopies = (
  name: string,
  before: Loot,
  { traceOf }: Evidence,
  only: (table: string) => boolean = () => true,
): Attack => {
  const former = new Map<string, string>()
  for (const row of before.rows) former.set(identityOf(row), JSON.stringify(row.values))
  const isNew = (row: Row) => former.get(identityOf(row)) !== JSON.stringify(row.values)
  const notificationsOf = new Map<string, { own: number; tables: Map<string, number> }>()
  const newsIn = (id: string) => {
    const known = notificationsOf.get(id)
    if (known) return known
    const { own, byTable }: Trace['rows'] = traceOf(id).rows
    const news = {
      own: own.some(isNew) ? 1 : 0,
      tables: new Map([...byTable].map(([table, rows]) => [table, rows.some(isNew) ? 1 : 0])),
    }
    notificationsOf.set(id, news)
    return news
  }
  return {
    name,
    featuresOf(question) {
      const tables = new Set<string>()
      for (const candidate of question.candidatesOf(question.targets[0] ?? ''))
        for (const table of newsIn(candidate).tables.keys()) if (only(table)) tables.add(table)
      return (target, candidate) => {
        const mine = newsIn(target).own
        const theirs = newsIn(candidate)
        const all = [theirs.own, ...[...tables].map((table) => theirs.tables.get(table) ?? 0)]
        return all.flatMap((news) => [mine * news, (1 - mine) * news])
      }
    },
  }
}

const identityOf = ({ table, values }: Row) =>
  `${table} ${typeof values.id === 'string' ? values.id : tokensIn(values).join(' ')}`

export const together = (name: string, attacks: readonly Attack[]): Attack => ({
  name,
  featuresOf(question) {
    const each = attacks.map((attack) => attack.featuresOf(question))
    return (target, candidate) => each.flatMap((featuresOf) => featuresOf(target, candidate))
  },
})
