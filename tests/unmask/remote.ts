/**
 * Somebody far away who asks what everybody may ask, after every rating and every night: no more could be
 * seen by asking each minute. Two answers that differ by fewer than RATING_BATCH people's ratings say what
 * a person gave, and when. An answer stands for what had been given when it was last seen to change.
 */
import { NO_STARS, type Truth } from './truth.ts'

/** People whose ratings are published together. */
export const RATING_BATCH = 5

export interface Remote {
  /** Asks about one company; about all without it. */
  look(company?: string): Promise<void>
  found(): RemoteVerdict[]
}

export interface RemoteVerdict {
  surface: string
  /** Pairs of different answers about one company. */
  pairs: number
  /** Of these, by fewer people than may be, and by at least one. */
  tooNear: number
  fewest: number
  passes: boolean
}

/** What is public of a company's ratings, less what changes for other reasons. */
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

/** @param planted answers that a leak gives besides, by name */
export function watchFromAfar(
  url: string,
  truth: Truth,
  planted: Record<string, Surface> = {},
): Remote {
  const surfaces = { ...surfacesOf(url), ...planted }
  const seen = new Map<string, { answer: string; state: Map<number, string> }[]>()

  /** What had been given to this company at a moment, by whom, and was not taken back. */
  function stateOf(company: string) {
    const given = truth.ratingWrites.filter((write) => write.company === company)
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
          // A note goes when its post is taken down or its writer leaves, and says nothing new of the others.
          if (last && name === 'notes' && isPartOf(answer, last.answer)) last.answer = answer
          else seen.set(key, [...answers, { answer, state: stateOf(one) }])
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

/** Whether nothing is in this list that is not in the other, too. */
function isPartOf(list: string, other: string) {
  const others = new Set(JSON.parse(other) as string[])
  return (JSON.parse(list) as string[]).every((note) => others.has(note))
}

function differing(one: Map<number, string>, other: Map<number, string>) {
  const people = new Set([...one.keys(), ...other.keys()])
  return [...people].filter((person) => one.get(person) !== other.get(person)).length
}
