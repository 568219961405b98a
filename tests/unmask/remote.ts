/**
 * A distant observer, who requests what's public after every rating and every night. Requesting it every minute would show
 * no more. Two responses that differ by fewer than RATING_BATCH people's ratings reveal what a person gave, and when. A
 * response shows the ratings given when we last saw it change. The same holds for pay.
 */
import { NO_STARS, type Truth } from './truth.ts'

/** How many people's ratings are published together. */
export const RATING_BATCH = 5

/** How the names of pay's surfaces begin. */
const PAY = 'pay'

export interface Remote {
  /** Looks at one company, or at all of them. */
  look(company?: string): Promise<void>
  found(): RemoteVerdict[]
}

export interface RemoteVerdict {
  surface: string
  /** Pairs of different responses about one company. */
  pairs: number
  /** The pairs that differ by too few people, but at least one. */
  tooNear: number
  fewest: number
  passes: boolean
}

/** What's public about a company's ratings, without what changes for other reasons. */
type Surface = (company: string) => Promise<string>

const STRUCTURED = /<script[^>]*ld\+json[^>]*>(.*?)<\/script>/gs

type Answer = Record<string, unknown>

function surfacesOf(url: string): Record<string, Surface> {
  const text = async (path: string) => (await fetch(url + path)).text()
  const json = async (path: string) => JSON.parse(await text(path)) as Answer
  return {
    async numbers(company) {
      const { ratings, categories, officeDays, byRelation, byEra } = await json(
        `/api/v1/companies/${company}/ratings`,
      )
      return JSON.stringify([ratings, categories, officeDays, byRelation, byEra])
    },
    async notes(company) {
      const { notes } = await json(`/api/v1/companies/${company}/notes`)
      return JSON.stringify(
        (notes as Answer[])
          .map(({ id, rto, dei, workLife, culture, html }) =>
            JSON.stringify([id, rto, dei, workLife, culture, html]),
          )
          .sort(),
      )
    },
    csv: (company) => text(`/api/v1/companies/${company}/ratings.csv`),
    [PAY]: (company) => text(`/api/v1/companies/${company}/pay`),
    [`${PAY}, csv`]: (company) => text(`/api/v1/companies/${company}/pay.csv`),
    async 'company answer'(company) {
      const { ratings, rating, categoryRatings } = await json(`/api/v1/companies/${company}`)
      return JSON.stringify([ratings, rating, categoryRatings])
    },
    async page(company) {
      const { slug } = await json(`/api/v1/companies/${company}`)
      const page = await text(`/company/${slug ?? company}`)
      return [...page.matchAll(STRUCTURED)]
        .map(([, data]) => data)
        .filter((data) => data?.includes('ating'))
        .join('\n')
    },
  }
}

/** @param planted extra responses that a leak gives, by name */
export function watchFromAfar(
  url: string,
  truth: Truth,
  planted: Record<string, Surface> = {},
): Remote {
  const surfaces = { ...surfacesOf(url), ...planted }
  const seen = new Map<string, { answer: string; state: Map<number, string> }[]>()

  /** The ratings or pay of this company at a moment, by person, without removed ones. */
  function stateOf(company: string, surface: string) {
    const writes = surface.startsWith(PAY) ? truth.payWrites : truth.ratingWrites
    const given = writes.filter((write) => write.company === company)
    const last = given.map(({ person, stars }) => [person, stars] as const)
    return new Map([...new Map(last)].filter(([, stars]) => stars !== NO_STARS))
  }

  return {
    async look(company) {
      for (const one of company ? [company] : truth.companies)
        for (const [name, ask] of Object.entries(surfaces)) {
          const answer = await ask(one)
          const key = `${name} ${one}`
          const answers = seen.get(key) ?? []
          const last = answers.at(-1)
          if (last?.answer === answer) continue
          // A note disappears when its post is removed or its author leaves, which reveals nothing new about the others.
          if (last && name === 'notes' && isPartOf(answer, last.answer)) last.answer = answer
          else seen.set(key, [...answers, { answer, state: stateOf(one, name) }])
        }
    },
    found: () =>
      Object.keys(surfaces).map((surface) => {
        const near: number[] = []
        let pairs = 0
        for (const [key, answers] of seen)
          if (key.startsWith(`${surface} `))
            for (const [n, one] of answers.entries())
              for (const other of answers.slice(n + 1)) {
                if (one.answer === other.answer) continue
                pairs++
                const people = differing(one.state, other.state)
                if (people > 0) near.push(people)
              }
        const tooNear = near.filter((people) => people < RATING_BATCH).length
        const fewest = Math.min(Number.POSITIVE_INFINITY, ...near)
        return { surface, pairs, tooNear, fewest, passes: tooNear === 0 }
      }),
  }
}

/** Whether everything in this list is in the other, too. */
function isPartOf(list: string, other: string) {
  const others = new Set(JSON.parse(other) as string[])
  return (JSON.parse(list) as string[]).every((note) => others.has(note))
}

function differing(one: Map<number, string>, other: Map<number, string>) {
  const people = new Set([...one.keys(), ...other.keys()])
  return [...people].filter((person) => one.get(person) !== other.get(person)).length
}
