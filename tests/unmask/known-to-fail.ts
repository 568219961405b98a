/**
 * What leaks and is known to, and why: a copy of the evening holds the day. One of the morning, after the nightly
 * run, is clean, and so is what everybody can ask; but two copies of neighbouring days show which accounts are new. Of
 * whoever had joined before that day nothing leads to the account, in the evening neither. The test and the command
 * fail when anything else leaks.
 */
import type { Measured } from './measure.ts'
import { CONNECTIONS, JUST_ISSUED } from './observed.ts'

const WHY: Record<string, string> = {
  'rating → new account':
    'what an account wrote when it joined or got its credential lies beside what was done then',
  'post → new account': 'the same of posts',
  'badge → new account': 'the same of the row that says that an address was confirmed',
  'room post → new account': 'the same of what is said among colleagues',
  'rating → rating': 'what one person gives in one visit lies side by side until the night',
  'room post → room post': 'the same of what one person says in two threads of a room',
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
  'badge → account': 'the same of the row of a badge',
  'room post → account': 'the same of a post in a room',
}

/** The same of whoever has the site's key, too: of ratings it opens no more than the day tells. */
export const isKnownWithKeys = (row: Row) =>
  isKnown(row) || (row.question in WHY_WITH_KEYS && row.copy === 'evening')

/**
 * A browser keeps its connections open: one for requests with a token and for pages, whose address names the company, and
 * one for all others, so for several ratings. Its network address would say as much. And people who rate before their first
 * credential came by itself request it with the rating.
 */
export const isKnownLive = ({ question, attack }: Row) =>
  attack === CONNECTIONS || question === JUST_ISSUED

/** What leaks, and nobody knew. */
export const leaksOf = ({ verdicts, remote, withKeys, live }: Measured): string[] => [
  ...(live?.verdicts ?? [])
    .filter((row) => !row.passes && !isKnownLive(row))
    .map(({ question, attack }) => `${question}, ${attack}, live`),
  ...(live?.plants ?? [])
    .filter(({ caught, isClean }) => !caught || !isClean)
    .map(({ leak }) => `${leak} is not seen, or is there without being planted`),
  ...(live?.isListRefused === false ? ['A browser takes issuer keys that no one else gets'] : []),
  ...verdicts
    .filter((row) => !row.passes && !isKnown(row))
    .map(({ question, attack, copy }) => `${question}, ${attack}, ${copy}`),
  ...(withKeys?.verdicts ?? [])
    .filter((row) => !row.passes && !isKnownWithKeys(row))
    .map(({ question, attack, copy }) => `${question}, ${attack}, ${copy}, with keys`),
  ...(withKeys && withKeys.postsOpened < 1 ? ['The key opens less than it can: see keys.ts'] : []),
  ...remote.filter(({ passes }) => !passes).map(({ surface }) => `public answers, ${surface}`),
]
