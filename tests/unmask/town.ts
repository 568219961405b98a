/**
 * A simulated town: who lives there, where they work, and what each of them does when. It's drawn from a seed before
 * anything is sent, so the same seed gives the same town. What people do is invented, but they do in one visit what belongs
 * together: someone who rates an employer also follows it, reads and writes about it, and comes back on another day for
 * another one.
 */
import { type Chance, chanceOf } from '../chaos/chance.ts'

export const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

export interface Person {
  n: number
  email: string
  username: string
  /** Numbers of companies, the current employer first. They rate only these. */
  employers: number[]
  network: string
  /** Wants to show that they work for the first one. */
  wantsBadge: boolean
  /** Comes one evening with a real browser, and rates those employers. */
  isInBrowser?: boolean
}

export type Deed =
  | { kind: 'sign-up' | 'leave' | 'refresh' }
  | {
      kind: 'rate' | 'pay' | 'take-back' | 'follow' | 'click' | 'thread' | 'poll-thread'
      company: number
    }
  /** A credential arrives by itself, some time after an address is confirmed: see life.ts. */
  | { kind: 'badge' | 'credential' | 'browse' }
  | {
      kind: 'comment' | 'vote' | 'helpful' | 'save' | 'poll-vote' | 'report' | 'mute' | 'room-post'
      draw: number
    }

export interface Act {
  at: number
  /** Undefined for someone without an account, about whom there's nothing to find. */
  person: number | undefined
  /** Acts in the same visit have the same number. */
  visit: number
  deed: Deed
}

export interface Town {
  seed: number
  startsAt: number
  days: number
  people: Person[]
  companies: number
  acts: Act[]
}

/** How many of a hundred visits fall in each hour of the day. */
const HOURS = [1, 0.5, 0.3, 0, 0, 0.2, 1, 3, 5, 5, 4, 5, 8, 7, 5, 4, 5, 6, 7, 8, 9, 8, 5, 3]
/** With browsers, everyone comes within two hours, so that many are online at once. */
const CROWDED_HOURS = HOURS.map((_, hour) => (hour === 20 || hour === 21 ? 1 : 0))
const WORK_ADDRESSES = 0.35
const WANTING_BADGES = 0.7
/** The share of ratings after which people also give their pay there. So many that some of it is published. */
const PAYING = 0.9
/** The share of visits by people who have one. */
const IN_ROOMS = 0.6
/**
 * The last digits of those who leave. They're more than in real life, so even a small town shows what they leave behind.
 */
const LEAVING = [3, 6]

/** When people with browsers join, and when they come back a day later. */
const MORNING_MS = 9 * 3_600_000
const EVENING_MS = DAY_MS + 20 * 3_600_000

export interface TownPlan {
  seed: number
  population: number
  /** Additional people, with real browsers. */
  browsers?: number
  days: number
  /** The first midnight. */
  startsAt: number
}

export function drawTown({ seed, population, browsers = 0, days, startsAt }: TownPlan): Town {
  const chance = chanceOf(seed)
  const hours = browsers > 0 ? CROWDED_HOURS : HOURS
  const companies = Math.max(8, Math.round(population / 9))
  const people = Array.from({ length: population }, (_, n) => drawPerson(chance, n, companies))
  const acts: Act[] = []
  let visits = 0
  for (const person of people) {
    const draw = chance.fork(`person ${person.n}`)
    const atWork = chance.fork(`at work ${person.n}`)
    const paid = chance.fork(`pay ${person.n}`)
    // Half are there from the first day. The others join over time.
    const firstDay = draw.next() < 0.5 ? 0 : draw.between(0, days)
    let at = startsAt + firstDay * DAY_MS + drawMoment(draw, hours)
    const unrated = [...person.employers]
    const ofVisit = (deed: Deed) => acts.push({ at, person: person.n, visit: visits, deed })
    ofVisit({ kind: 'sign-up' })
    for (let day = firstDay; day < days; day++) {
      const isFirst = day === firstDay
      const count = isFirst ? 1 : visitsOf(draw)
      for (let n = 0; n < count; n++) {
        visits++
        if (!isFirst) {
          at = startsAt + day * DAY_MS + drawMoment(draw, hours)
          ofVisit({ kind: 'refresh' })
        }
        for (const deed of drawVisit(draw, person, unrated)) {
          at += draw.between(15_000, 4 * MINUTE_MS)
          ofVisit(deed)
          if (deed.kind !== 'rate' || paid.next() > PAYING) continue
          at += paid.between(15_000, 4 * MINUTE_MS)
          ofVisit({ ...deed, kind: 'pay' })
        }
        if (person.wantsBadge)
          for (const deed of drawWork(atWork)) {
            at += atWork.between(15_000, 4 * MINUTE_MS)
            ofVisit(deed)
          }
      }
    }
    visits++
    if (LEAVING.includes(person.n % 10)) {
      at = startsAt + (days - 1) * DAY_MS + drawMoment(draw, hours)
      ofVisit({ kind: 'leave' })
    }
  }
  for (let n = population; n < population + browsers; n++) {
    const draw = chance.fork(`browser ${n}`)
    people.push({ ...drawPerson(draw, n, companies), wantsBadge: false, isInBrowser: true })
    const ofBrowser = (at: number, deed: Deed) => acts.push({ at, person: n, visit: visits, deed })
    ofBrowser(startsAt + MORNING_MS + draw.between(0, 60 * MINUTE_MS), { kind: 'sign-up' })
    visits++
    ofBrowser(startsAt + EVENING_MS + draw.between(0, 6 * MINUTE_MS), { kind: 'browse' })
    visits++
  }
  acts.push(
    ...drawVisitors(chance.fork('visitors'), { population, days, startsAt, companies, hours }),
  )
  const end = startsAt + days * DAY_MS
  return {
    ...{ seed, startsAt, days, people, companies },
    acts: acts.filter(({ at }) => at < end).sort((one, other) => one.at - other.at),
  }
}

/** None on most days, two on some. */
function visitsOf(draw: Chance) {
  const drawn = draw.next()
  return drawn < 0.72 ? 0 : drawn < 0.93 ? 1 : 2
}

function drawPerson(chance: Chance, n: number, companies: number): Person {
  const employers = chance
    .shuffled(Array.from({ length: companies }, (_, n) => n))
    .slice(0, chance.between(1, 4))
  const name = chance.hex(chance.between(5, 12))
  const host =
    chance.next() < WORK_ADDRESSES ? `staff.employer-${employers[0]}.example` : 'mail.example'
  return {
    n,
    employers,
    email: `${name}.${n}@${host}`,
    username: `T${n}_${chance.hex(5)}`,
    network: `10.1.${n >> 8}.${n & 255}`,
    wantsBadge: chance.fork(`badge ${n}`).next() < WANTING_BADGES,
  }
}

/** Someone whose credential hasn't arrived has no secret for a badge, and tries again on the next visit. */
function drawWork(draw: Chance): Deed[] {
  const deeds: Deed[] = [{ kind: 'badge' }]
  if (draw.next() < IN_ROOMS) deeds.push({ kind: 'room-post', draw: draw.between(0, 2 ** 30) })
  return deeds
}

function drawVisit(draw: Chance, { employers }: Person, unrated: number[]): Deed[] {
  const deeds: Deed[] = []
  const often = (share: number) => draw.next() < share
  const anything = () => draw.between(0, 2 ** 30)
  const company = draw.pick(employers) ?? 0
  if (often(0.3)) deeds.push({ kind: 'click', company })
  // People who've started rating often rate their former employers, too.
  for (const employer of [...unrated])
    if (often(0.5)) {
      unrated.splice(unrated.indexOf(employer), 1)
      deeds.push({ kind: 'rate', company: employer })
      if (often(0.3)) deeds.push({ kind: 'follow', company: employer })
    }
  if (often(0.04)) deeds.push({ kind: 'rate', company })
  if (often(0.02)) deeds.push({ kind: 'take-back', company })
  if (often(0.15)) deeds.push({ kind: 'follow', company })
  if (often(0.3)) deeds.push({ kind: often(0.2) ? 'poll-thread' : 'thread', company })
  if (often(0.6)) deeds.push({ kind: 'comment', draw: anything() })
  if (often(0.4)) deeds.push({ kind: 'comment', draw: anything() })
  if (often(0.5)) deeds.push({ kind: 'vote', draw: anything() })
  if (often(0.2)) deeds.push({ kind: 'helpful', draw: anything() })
  if (often(0.1)) deeds.push({ kind: 'save', draw: anything() })
  if (often(0.1)) deeds.push({ kind: 'poll-vote', draw: anything() })
  if (often(0.03)) deeds.push({ kind: 'mute', draw: anything() })
  if (often(0.02)) deeds.push({ kind: 'report', draw: anything() })
  return draw.shuffled(deeds)
}

function* drawVisitors(
  draw: Chance,
  {
    population,
    days,
    startsAt,
    companies,
    hours,
  }: Omit<TownPlan, 'seed'> & { companies: number; hours: number[] },
): Iterable<Act> {
  for (let n = 0; n < (population * days) / 12; n++) {
    const at = startsAt + draw.between(0, days) * DAY_MS + drawMoment(draw, hours)
    const deed: Deed =
      draw.next() < 0.3
        ? { kind: 'thread', company: draw.between(0, companies) }
        : { kind: draw.next() < 0.5 ? 'comment' : 'vote', draw: draw.between(0, 2 ** 30) }
    yield { at, person: undefined, visit: -1 - n, deed }
  }
}

function drawMoment(draw: Chance, hours: number[]) {
  const all = hours.reduce((sum, weight) => sum + weight, 0)
  let rest = draw.next() * all
  const hour = hours.findIndex((weight) => {
    rest -= weight
    return rest < 0
  })
  return Math.max(0, hour) * 3_600_000 + draw.between(0, 3_600_000)
}
