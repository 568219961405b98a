/**
 * Two companies become one: what is asked before, what stays, and what is said after. D57.
 * Runs in the browser too: no I/O here.
 */
import { type Belongings, belongingLines, counted } from '../deletion/company-deletion.ts'
import type { Changes, CompanyFields } from '../edits/company-edit.ts'
import { ALIASES_MAX, FACT_FIELDS, tidyFacts } from '../edits/company-facts.ts'

/** How long it can be undone. */
export const UNDO_HOURS = 24

export const MERGE_REFUSALS = {
  itself: 'A company cannot be merged into itself',
  gone: (name: string, into: string) =>
    `${name} has become part of ${into} meanwhile. Look at it there.`,
  busy: 'People are writing about these companies at this very moment. Please try again.',
  twoReplies: (title: string) =>
    `Both companies have replied to “${title}”. Remove one of the replies first.`,
  tooLate: 'A merge can be undone for a day. This one is older.',
  undone: 'This has been undone already',
  furtherMerged: (into: string) => `It has become part of ${into} since. Undo that first.`,
  moved: 'This was changed while it was a company of its own. Change it by hand where needed.',
} as const

/** Of what the merged company says, these fill what the other one says nothing of. */
const FILLED = [
  'description',
  'website',
  ...FACT_FIELDS.filter((field) => field !== 'aliases'),
] as const

/**
 * What the remaining company says differently afterwards: nothing that it says itself. The other's name and its
 * names are other names of it, as many as there is room for.
 */
export function joinedFacts(from: CompanyFields, into: CompanyFields): Changes {
  const own = into.aliases
  const { aliases } = tidyFacts(
    { ...into, aliases: [...own, from.name, ...from.aliases] },
    into.name,
  )
  const hasRoom = aliases.indexOf(from.name) < ALIASES_MAX
  const joined = hasRoom
    ? aliases.slice(0, ALIASES_MAX)
    : [...aliases.slice(0, ALIASES_MAX - 1), from.name]
  const filled = FILLED.filter((field) => into[field] === null && from[field] !== null)
  return {
    ...(joined.join('\n') !== own.join('\n') && { aliases: { from: own, to: joined } }),
    ...Object.fromEntries(filled.map((field) => [field, { from: null, to: from[field] }])),
  }
}

/** What moves, by kind: numbers that anybody may know, or that administrators see anyway. */
export interface Moving extends Belongings {
  replies: number
  claims: number
  requests: number
  suggestions: number
}

/** What people gave is said also where there is none; the rest where there is some. */
export const movingLines = (moving: Moving) => [
  ...belongingLines(moving),
  ...(moving.replies > 0 ? [counted(moving.replies, 'reply', 'replies')] : []),
  ...(moving.claims > 0 ? [counted(moving.claims, 'claim')] : []),
  ...(moving.requests > 0 ? [counted(moving.requests, 'request')] : []),
  ...(moving.suggestions > 0 ? [counted(moving.suggestions, 'suggestion')] : []),
]

export const MERGE_WORDS = {
  heading: 'Merge this company',
  about: 'For one that is here twice: what people gave it goes to the other one.',
  open: 'Merge into…',
  title: (name: string) => `Merge ${name} into another company`,
  question: 'Which company remains?',
  placeholder: 'The company that remains',
  choose: 'Choose the company that remains',
  wait: 'Look at what goes along first',
  moves: 'What goes along',
  also: 'Its followers, alerts, views, history and news go along, too. Nobody is told.',
  name: (name: string, into: string) =>
    `${into} keeps its name and what it says; ${name} becomes another name of it.`,
  filled: 'Taken over, where it says nothing',
  differing: 'Stays as it is there',
  addresses: 'Leads there from now on',
  undo: (into: string) =>
    `For a day you can undo this in the history of ${into}. What people add meanwhile stays with ${into}; comments stay with their threads.`,
  confirm: 'Merge',
  busy: 'Merging...',
  done: (name: string, into: string) => `${name} is part of ${into} now`,
  undoOpen: 'Undo the merge',
  undoable:
    'This can be undone for a day. What was added since stays here; comments go with their threads.',
  undone: 'Two companies again',
} as const
