/** Rules and texts of merging companies. D57. Runs in the browser too: no I/O here. */
import { counted } from '#app/kit/ui/format.ts'
import { type Belongings, belongingLines } from '../deletion/company-deletion.ts'
import type { Changes, CompanyFields } from '../edits/company-edit.ts'
import { ALIASES_MAX, FACT_FIELDS, tidyFacts } from '../edits/company-facts.ts'

export const UNDO_HOURS = 24

export const MERGE_REFUSALS = {
  forbidden: 'Only an administrator can merge companies',
  itself: 'You can’t merge a company into itself',
  gone: (name: string, into: string) =>
    `${name} was merged into ${into} in the meantime. Look for it there.`,
  busy: 'People are writing about these companies right now. Please try again.',
  twoReplies: (title: string) =>
    `Both companies have replied to “${title}”. Remove one of the replies first.`,
  tooLate: 'You have a day to undo a merge, and this one is older.',
  undone: 'This was already undone',
  furtherMerged: (into: string) => `It has since been merged into ${into}. Undo that merge first.`,
  moved: 'This change is from before the merge. Edit it by hand if needed.',
} as const

/** Fields that the remaining company takes over if it has none. */
const FILLED = [
  'description',
  'website',
  ...FACT_FIELDS.filter((field) => field !== 'aliases'),
] as const

/**
 * Changes to the remaining company. Its empty fields are filled, and the other's names become aliases as long as there's
 * room.
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

/** What a merge moves. These numbers are public, or administrators see them anyway. */
export interface Moving extends Belongings {
  replies: number
  claims: number
  requests: number
  suggestions: number
}

/** We list people's contributions even if there are none. */
export const movingLines = (moving: Moving) => [
  ...belongingLines(moving),
  ...(moving.replies > 0 ? [counted(moving.replies, 'reply', 'replies')] : []),
  ...(moving.claims > 0 ? [counted(moving.claims, 'claim')] : []),
  ...(moving.requests > 0 ? [counted(moving.requests, 'request')] : []),
  ...(moving.suggestions > 0 ? [counted(moving.suggestions, 'suggestion')] : []),
]

export const ABOUT_MERGING =
  'Use this when a company is listed twice. Everything people added to this one moves to the other.'
