/**
 * What leaks and is known to, and why: a copy of the evening holds the day. One of the morning, after the nightly
 * run, is clean, and so is what everybody can ask; but two copies of neighbouring days show which accounts are new. Of
 * whoever had joined before that day nothing leads to the account, in the evening neither. The test and the command
 * fail when anything else leaks.
 */
import type { Measured } from './measure.ts'

const WHY: Record<string, string> = {
  'rating → new account':
    'the row of an account that joined on that day lies beside what was done then',
  'post → new account': 'the same of posts',
  'rating → rating': 'what one person gives in one visit lies side by side until the night',
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

/** What leaks, and nobody knew. */
export const leaksOf = ({ verdicts, remote }: Measured): string[] => [
  ...verdicts
    .filter((row) => !row.passes && !isKnown(row))
    .map(({ question, attack, copy }) => `${question}, ${attack}, ${copy}`),
  ...remote.filter(({ passes }) => !passes).map(({ surface }) => `public answers, ${surface}`),
]
