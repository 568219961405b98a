/** Changes to a company's facts, suggested by members or made by administrators. Runs in the browser too: no I/O here. */
import { lengthProblem, oneLine } from '#app/kit/writing/text.ts'
import { tidyWebsite, websiteProblem } from '../web-address.ts'
import {
  type CompanyFacts,
  FACT_FIELDS,
  FACT_NAMES,
  type FactProblems,
  factProblems,
  tidyFacts,
} from './company-facts.ts'
import { DAYS_MAX, type Policy, type PolicyMode } from './company-policy.ts'

export const COMPANY_NAME_MAX = 120
export const CATEGORY_MAX = 60
export const DESCRIPTION_MAX = 500
export const REASON_MAX = 500
/** How many pending suggestions a member can have. */
export const OPEN_SUGGESTIONS_MAX = 20

export interface CompanyFields extends CompanyFacts {
  name: string
  category: string
  description: string | null
  website: string | null
  policy: Policy | null
}
export type EditField = keyof CompanyFields

export type Changes = { [Key in EditField]?: { from: CompanyFields[Key]; to: CompanyFields[Key] } }

/** Everything that can be in the history. Logo and merge aren't fields of the form. */
export const EDIT_FIELD_NAMES: Record<EditField | 'logo' | 'merged', string> = {
  merged: 'Merged',
  name: 'Name',
  category: 'Category',
  description: 'Description',
  website: 'Website',
  ...FACT_NAMES,
  policy: 'Office policy',
  logo: 'Logo',
}
const EDIT_FIELDS = [
  'name',
  'category',
  'description',
  'website',
  ...FACT_FIELDS,
  'policy',
] as const

export const EDIT_STATES = ['suggested', 'applied', 'declined', 'reverted'] as const
export type EditState = (typeof EDIT_STATES)[number]
export const EDIT_STATE_NAMES: Record<EditState, string> = {
  suggested: 'Waiting',
  applied: 'Applied',
  declined: 'Declined',
  reverted: 'Undone',
}

export const EDIT_REFUSALS = {
  notFound: 'This change doesn’t exist',
  noChange: 'You haven’t changed anything yet',
  changed: (field: EditField) =>
    `${EDIT_FIELD_NAMES[field]} has changed since. Look at it again, and edit it by hand if needed.`,
  decided: 'Someone has already decided on this suggestion',
  notApplied: 'You can only undo a change that’s been applied',
  same: 'You’ve already suggested this change. An administrator will review it.',
  full: `${OPEN_SUGGESTIONS_MAX} of your suggestions are pending. Please wait until someone reviews them.`,
  addressTaken: 'Another company is taking this address right now. Please try again.',
} as const

/** Removes invisible characters and extra spaces; empty texts become null. */
export const tidyFields = (fields: CompanyFields): CompanyFields => ({
  name: oneLine(fields.name),
  category: oneLine(fields.category),
  description: oneLine(fields.description ?? '') || null,
  website: tidyWebsite(fields.website),
  ...tidyFacts(fields, oneLine(fields.name)),
  policy: fields.policy && tidyPolicy(fields.policy),
})

export function changesBetween(before: CompanyFields, after: CompanyFields): Changes {
  const changed = EDIT_FIELDS.filter((field) => !isSame(before[field], after[field]))
  return Object.fromEntries(
    changed.map((field) => [field, { from: before[field], to: after[field] }]),
  )
}

/** Fields whose current value isn't the one that `changes` started from. */
export const conflictsWith = (now: CompanyFields, changes: Changes): EditField[] =>
  EDIT_FIELDS.filter((field) => {
    const change = changes[field]
    return change !== undefined && !isSame(change.from, now[field])
  })

export const reversedChanges = (changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [field, { from: to, to: from }]),
  )

/** Independent of key order. */
function isSame(one: CompanyFields[EditField], other: CompanyFields[EditField]) {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
  if (Array.isArray(one) || Array.isArray(other))
    return JSON.stringify(one) === JSON.stringify(other)
  const parts = ['mode', 'days', 'since', 'source'] as const
  return parts.every((part) => one[part] === other[part])
}

export type EditProblems = { [Field in EditField]?: string } & FactProblems & PolicyProblems

/** Problems by field, for the fields in `changes`. @param thisMonth such as 2026-03 */
export function editProblems(changes: Changes, thisMonth: string): EditProblems {
  const { name, category, description, website, policy } = changes
  const facts = Object.fromEntries(
    FACT_FIELDS.flatMap((field) => (changes[field] ? [[field, changes[field].to]] : [])),
  )
  return {
    name: name && textProblem(name.to, 'name', COMPANY_NAME_MAX),
    category: category && textProblem(category.to, 'category', CATEGORY_MAX),
    description: lengthProblem(description?.to ?? '', DESCRIPTION_MAX, 'description'),
    website: website && websiteProblem(website.to, 'website'),
    ...factProblems(facts, Number(thisMonth.slice(0, 4))),
    ...(policy && policyProblems(policy.to, thisMonth)),
  }
}

const textProblem = (text: string, what: string, max: number) =>
  text === '' ? `A company needs a ${what}` : lengthProblem(text, max, what)

/** Any earlier date is a typo. */
const FIRST_MONTH = '1950-01'

const tidyPolicy = ({ mode, days, since, source }: Policy): Policy => ({
  mode,
  days: mode === 'remote' ? null : days,
  since: since || null,
  source: tidyWebsite(source),
})

type PolicyProblems = { [Part in keyof Policy]?: string }

/** The problem of each part. @param thisMonth such as 2026-03 */
function policyProblems(policy: Policy | null, thisMonth: string): PolicyProblems {
  if (policy === null) return { mode: 'You can change a policy, but not remove it' }
  const { mode, days, since, source } = policy
  return {
    days: daysProblem(mode, days),
    since: since === null ? undefined : sinceProblem(since, thisMonth),
    source: websiteProblem(source, 'source'),
  }
}

function daysProblem(mode: PolicyMode, days: number | null) {
  if (days === null) return undefined
  if (mode === 'remote') return 'A remote policy can’t have office days'
  const isPossible = Number.isInteger(days) && days >= 0 && days <= DAYS_MAX
  return isPossible ? undefined : `Office days must be between 0 and ${DAYS_MAX} a week`
}

function sinceProblem(since: string, thisMonth: string) {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(since) || since < FIRST_MONTH)
    return 'The start must be a month, such as 2026-03'
  return since > thisMonth ? 'The policy can’t start in the future' : undefined
}
