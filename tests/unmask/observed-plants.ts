/** Five leaks, written into what the observer saw: requests of a careless browser, or what a careless site accepts. */
import { hashOf, isIssuing, observedIn, PRESENTED } from './observed.ts'
import type { Seen } from './observer.ts'
import type { Truth } from './truth.ts'
import { ALONE, type Verdict, verdictOf } from './verdict.ts'

const SECOND_MS = 1_000
/** Fewer targets could be found by chance. */
const ASKED_MIN = 20

interface Plant {
  leak: string
  attack: string
  /** What the observer sees instead of a rating's request, or of an issuing. */
  rating?: (seen: Seen, account: string) => Seen[]
  issuing?: (seen: Seen, account: string) => Seen
}

const VALUES = 'values that both say'
/** As long and random as a key, one per person. */
const keyOf = (account: string, what: string) =>
  hashOf(Buffer.from(what + account).toString('base64url'))
const saying = (seen: Seen, value: string): Seen => ({ ...seen, said: [...seen.said, value] })
const withToken = (seen: Seen, account: string, at: number, path: string): Seen => ({
  ...{ ...seen, at, account, path, method: 'POST', status: 200, said: [], told: [] },
  connection: -1,
})

const PLANTS: Plant[] = [
  {
    leak: 'a key shown early',
    attack: VALUES,
    rating(seen, account) {
      const key = keyOf(account, seen.path)
      const early = withToken(seen, account, seen.at - 24 * SECOND_MS, '/api/v1/my/ratings-by-key')
      return [saying(early, key), saying(seen, hashOf(key))]
    },
  },
  {
    leak: 'a renewal on refusal',
    attack: 'credentials and refusals',
    rating: (seen, account) => [
      { ...seen, at: seen.at - 14 * SECOND_MS, status: 401, told: [] },
      withToken(seen, account, seen.at - 12 * SECOND_MS, '/api/v1/my/credential/renewal'),
      seen,
    ],
  },
  {
    leak: 'a quarter of one’s own',
    attack: VALUES,
    rating: (seen, account) => [saying(seen, quarterOf(account))],
    issuing: (seen, account) => saying(seen, quarterOf(account)),
  },
  {
    // Each person gets IDs with their own capitalization, and the browser sends them back.
    leak: 'a context of raw text',
    attack: VALUES,
    rating: (seen, account) => [saying(seen, spelt(account))],
    issuing: (seen, account) => ({ ...seen, told: [...seen.told, spelt(account)] }),
  },
  {
    // Issued with a key of their own, which the rating then proves.
    leak: 'a list of keys for one person',
    attack: VALUES,
    rating: (seen, account) => [saying(seen, keyOf(account, 'list'))],
    issuing: (seen, account) => saying(seen, keyOf(account, 'list')),
  },
]

const quarterOf = (account: string) =>
  `${2100 + (Number.parseInt(account.slice(0, 6), 16) % 7_000)}-Q1`
const spelt = (account: string) =>
  [...'abcdefab-cdef-4abc-8abc-abcdefabcdef']
    .map((letter, n) => (account.charCodeAt(n) % 2 ? letter.toUpperCase() : letter))
    .join('')

export function observedPlants(log: Seen[], truth: Truth) {
  const accountOf = new Map([...truth.accounts].map(([id, person]) => [person, id]))
  const giverOf = ({ told }: Seen) => {
    const given = told.map((id) => truth.ratings.get(id)).find(Boolean)
    return given && accountOf.get(given.person)
  }
  const answer = (seen: Seen[], attack: string): Verdict => {
    const { questions, attacks } = observedIn(seen, truth)
    const question = questions.find(({ name }) => name === 'rating → account')
    const asked = attacks.find(({ name }) => name === attack)
    if (!question || !asked) throw new Error(`No question is asked by ${attack}`)
    return verdictOf(question, asked, 'live', ALONE)
  }
  const [clean] = PLANTS
  if (!clean || answer(log, clean.attack).targets < ASKED_MIN) return []
  return PLANTS.map(({ leak, attack, rating, issuing }) => {
    const leaking = log.flatMap((seen) => {
      const giver = PRESENTED.test(seen.path) ? giverOf(seen) : undefined
      if (giver) return rating?.(seen, giver) ?? [seen]
      return [issuing && seen.account && isIssuing(seen) ? issuing(seen, seen.account) : seen]
    })
    const verdict = answer(leaking, attack)
    return { leak, isClean: answer(log, attack).passes, caught: !verdict.passes, verdict }
  })
}
