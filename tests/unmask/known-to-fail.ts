/**
 * Known leaks, and why. A copy stolen in the evening contains the day. One from the morning, after the nightly run, is
 * clean, and so is everything public, but two copies from consecutive days show which accounts are new. For anyone who
 * joined before that day, nothing leads to the account, not even in the evening. The test and the command fail if anything
 * else leaks.
 */
import type { Measured } from './measure.ts'
import { CONNECTIONS, JUST_ISSUED } from './observed.ts'

const WHY: Record<string, string> = {
  'rating → new account':
    'what an account wrote when it joined or got its credential lies beside what was done then',
  'post → new account': 'the same of posts',
  'pay → new account': 'the same of pay',
  'badge → new account': 'the same of the row that says that an address was confirmed',
  'room post → new account': 'the same of what is said among colleagues',
  'rating → rating': 'what one person gives in one visit lies side by side until the night',
  'room post → room post': 'the same of what one person says in two threads of a room',
  'pay → rating': 'the same of pay and a rating',
  'rating → post': 'the same of a rating and a post, whose minute is public',
}

interface Row {
  question: string
  attack: string
  copy: string
}

const WITH_TWO_COPIES = ['two copies', 'all together']

export const isKnown = ({ question, attack, copy }: Row) =>
  question in WHY &&
  (copy === 'evening' || (question.endsWith('→ new account') && WITH_TWO_COPIES.includes(attack)))

const WHY_WITH_KEYS: Record<string, string> = {
  'rating → account': 'until the night it lies beside posts of the same visit, which the key opens',
  'pay → account': 'the same of pay',
  'badge → account': 'the same of the row of a badge',
  'room post → account': 'the same of a post in a room',
}

/** The same for a thief with the site's key, which opens no more about ratings than the day reveals. */
export const isKnownWithKeys = (row: Row) =>
  isKnown(row) || (row.question in WHY_WITH_KEYS && row.copy === 'evening')

/**
 * A browser keeps its connections open: one for requests with a token and for pages, whose address names the company, and
 * one for all others, and so for several ratings. Its network address would reveal as much. And people who rate before their
 * first credential arrived by itself request it while rating.
 */
export const isKnownLive = ({ question, attack }: Row) =>
  attack === CONNECTIONS || question === JUST_ISSUED

/** Leaks that aren't known. */
export const leaksOf = ({ verdicts, remote, payroll, withKeys, live }: Measured): string[] => [
  ...(live?.verdicts ?? [])
    .filter((row) => !row.passes && !isKnownLive(row))
    .map(({ question, attack }) => `${question}, ${attack}, live`),
  ...[...(live?.plants ?? []), ...payroll.flatMap(({ plants }) => plants)]
    .filter(({ caught, isClean }) => !caught || !isClean)
    .map(({ leak }) => `${leak} is not seen, or is there without being planted`),
  ...(live?.isListRefused === false ? ['A browser takes issuer keys that no one else gets'] : []),
  ...[...verdicts.filter((row) => !isKnown(row)), ...payroll.flatMap(({ verdicts }) => verdicts)]
    .filter((row) => !row.passes)
    .map(({ question, attack, copy }) => `${question}, ${attack}, ${copy}`),
  ...(withKeys?.verdicts ?? [])
    .filter((row) => !row.passes && !isKnownWithKeys(row))
    .map(({ question, attack, copy }) => `${question}, ${attack}, ${copy}, with keys`),
  ...(withKeys && withKeys.postsOpened < 1 ? ['The key opens less than it can: see keys.ts'] : []),
  ...remote.filter(({ passes }) => !passes).map(({ surface }) => `public answers, ${surface}`),
]
