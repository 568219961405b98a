/** Lets an attack answer a question, taught by half of the people, and says whether it found too much. */
import { chanceOf } from '../chaos/chance.ts'
import type { Attack } from './attacks.ts'
import { type Example, learn } from './learn.ts'
import type { Question } from './questions.ts'
import {
  binomialBound,
  errorsAmong,
  type Judged,
  judge,
  mean,
  perPerson,
  standardError,
} from './statistics.ts'

export interface Verdict {
  question: string
  attack: string
  copy: string
  targets: number
  top1: number
  auc: number
  /** What anyone's guess gives. */
  prior: { top1: number; auc: number }
  /** Anything up to this may be chance. */
  bound: { top1: number; auc: number }
  passes: boolean
}

/** More than the guess by this much is too much, on top of what chance may give in a small town. */
const AUC_OVER = 0.02
/** Chance exceeds one question's bound once in a thousand times… */
export const ALONE = { certainty: 0.999, errors: 3.3 }
/** …and any of a table's hundred bounds once in a thousand tables. */
const OF_A_TABLE: typeof ALONE = { certainty: 0.99999, errors: 4.5 }
/** Candidates per target, so that a large town takes minutes. */
const CANDIDATES = 250
/** Wrong candidates per target that teaches. */
const WRONG_TAUGHT = 12

/**
 * With fewer people, the error says nothing, because all of them may be alike by chance. Then only the share named right is
 * judged.
 */
const PEOPLE_MIN = 10

interface Asked {
  target: string
  person: number
  candidates: string[]
  isRight: Uint8Array
}

export function verdictOf(
  question: Question,
  attack: Attack,
  copy: string,
  { certainty, errors } = OF_A_TABLE,
): Verdict {
  const asked = askedOf(question)
  const guesses = tableOf(asked, question.guess)
  const evidence = tableOf(asked, attack.featuresOf(question))
  const guessed = answersTo(asked, guesses)
  const found = answersTo(asked, joinedTables(guesses, evidence))
  const of = (judged: Judged[], measure: 'top1' | 'auc') => mean(judged.map((one) => one[measure]))
  const prior = { top1: of(guessed, 'top1'), auc: of(guessed, 'auc') }
  const top1 = of(found, 'top1')
  const auc = of(found, 'auc')
  const more = found.map((one, n) => ({ ...one, auc: one.auc - (guessed[n] as Judged).auc }))
  const error = standardError(perPerson(more, (one) => one.auc))
  const people = new Set(asked.map(({ person }) => person)).size
  // A guess that few people taught wrongly is no worse than none.
  const atLeast = { top1: mean(asked.map(shareOfRight)), auc: 0.5 }
  const over = AUC_OVER + errorsAmong(people, errors) * error
  const bound = {
    top1: binomialBound(people, Math.max(prior.top1, atLeast.top1), certainty),
    auc: people < PEOPLE_MIN ? 1 : Math.max(prior.auc, atLeast.auc) + over,
  }
  const passes = top1 <= bound.top1 && auc <= bound.auc
  return {
    ...{ question: question.name, attack: attack.name, copy, targets: asked.length },
    ...{ top1, auc, prior, bound, passes },
  }
}

const shareOfRight = ({ isRight }: Asked) => mean([...isRight])

function askedOf(question: Question): Asked[] {
  const chance = chanceOf(20_260_302)
  return question.targets.flatMap((target) => {
    const right: string[] = []
    const wrong: string[] = []
    for (const candidate of question.candidatesOf(target))
      (question.isRight(target, candidate) ? right : wrong).push(candidate)
    if (right.length === 0 || wrong.length === 0) return []
    const some = wrong.length > CANDIDATES ? sampleOf(wrong, CANDIDATES, chance) : wrong
    const candidates = [...right, ...some]
    const isRight = Uint8Array.from(candidates, (_, n) => (n < right.length ? 1 : 0))
    return [{ target, person: question.personOf(target), candidates, isRight }]
  })
}

function sampleOf<Item>(
  items: Item[],
  size: number,
  chance: { between(a: number, b: number): number },
) {
  const rest = [...items]
  for (let n = 0; n < size; n++) {
    const other = chance.between(n, rest.length)
    const item = rest[n] as Item
    rest[n] = rest[other] as Item
    rest[other] = item
  }
  return rest.slice(0, size)
}

/** The numbers of each pair of a target and one of its candidates. */
type Table = Float32Array[][]

const tableOf = (
  asked: Asked[],
  featuresOf: (target: string, candidate: string) => number[],
): Table =>
  asked.map(({ target, candidates }) =>
    candidates.map((candidate) => Float32Array.from(featuresOf(target, candidate))),
  )

const joinedTables = (one: Table, other: Table): Table =>
  one.map((rows, t) =>
    rows.map((row, c) => Float32Array.of(...row, ...((other[t]?.[c] ?? []) as Float32Array))),
  )

/** Answers for each half of the people, taught by the other half. */
function answersTo(asked: Asked[], table: Table): Judged[] {
  const chance = chanceOf(7)
  const scorers = [0, 1].map((half) => {
    const examples: Example[] = []
    asked.forEach(({ person, isRight }, t) => {
      if (person % 2 === half) return
      const rows = table[t] as Float32Array[]
      const right = isRight.reduce((sum, one) => sum + one, 0)
      const wrong = sampleOf(rows.slice(right), Math.min(WRONG_TAUGHT, rows.length - right), chance)
      for (const features of rows.slice(0, right)) examples.push({ features, isRight: 1 })
      for (const features of wrong) examples.push({ features, isRight: 0 })
    })
    return learn(examples)
  })
  return asked.map(({ person, isRight }, t) => {
    const score = scorers[person % 2] as (features: Float32Array) => number
    return judge(person, (table[t] as Float32Array[]).map(score), isRight)
  })
}
