/** No response says who made a change. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { LookupText, Uuid, WrittenText } from '#app/api/schemas.ts'
import { GIVEN_FACTS } from '../company.contract.ts'
import { WEB_ADDRESS_MAX } from '../web-address.ts'
import {
  CATEGORY_MAX,
  COMPANY_NAME_MAX,
  DESCRIPTION_MAX,
  EDIT_STATES,
  REASON_MAX,
} from './company-edit.ts'
import { POLICY_MODES } from './company-policy.ts'

const CompanyId = z.object({ id: Uuid })
/** A bigint in the database. */
const EditId = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })

const PolicyGiven = z.object({
  mode: z.enum(POLICY_MODES),
  days: z.number().nullable().describe('Days a week in the office, null if unknown'),
  since: LookupText(7).nullable().describe('A month, such as 2026-03'),
  source: WrittenText(WEB_ADDRESS_MAX).nullable().describe('Where the company says so'),
})

const change = <Value extends z.ZodType>(value: Value) =>
  z.object({ from: value, to: value }).optional()

const changes = <Shape extends Record<string, z.ZodType>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([field, value]) => [field, change(value)])) as {
    [Field in keyof Shape]: ReturnType<typeof change<Shape[Field]>>
  }

const Changes = z.object({
  name: change(WrittenText(COMPANY_NAME_MAX)),
  category: change(WrittenText(CATEGORY_MAX)),
  description: change(WrittenText(DESCRIPTION_MAX).nullable()),
  website: change(WrittenText(WEB_ADDRESS_MAX).nullable()),
  ...changes(GIVEN_FACTS),
  policy: change(PolicyGiven.nullable()),
})

const PastChanges = Changes.extend({
  logo: change(z.string().nullable()),
  merged: change(z.string().nullable()).describe('Name of a company merged into it'),
})

const Edit = z.object({
  id: z.number().int(),
  madeOn: z.string().describe('A day'),
  state: z.enum(EDIT_STATES),
  by: z.enum(['administrator', 'member']),
  isMine: z.boolean(),
  fields: z.array(z.string()).describe('What it changes'),
  formerly: z
    .string()
    .nullable()
    .describe('Name of the changed company, if it has since been merged into this one'),
  canTakeBack: z.boolean().describe('Whether an administrator can undo it'),
  changes: PastChanges.nullable().describe(
    'Old and new values. If a suggestion wasn’t accepted, only its author and administrators see them',
  ),
})
export type Edit = z.output<typeof Edit>

const Suggestion = Edit.extend({
  changes: PastChanges,
  reason: z.string(),
  company: z.object({ id: Uuid, name: z.string(), slug: z.string().nullable() }),
  conflicts: z.array(z.string()).describe('Fields that have changed since'),
})
export type Suggestion = z.output<typeof Suggestion>

const EDITS_LIMIT = { name: 'company-edits', seconds: 600, person: 30 }

export const editContract = {
  'GET /api/v1/companies/{id}/edits': {
    summary: 'A company’s changes, newest first',
    params: CompanyId,
    query: z.object({ before: z.coerce.number().int().min(1).optional() }),
    ok: z.object({
      edits: z.array(Edit),
      next: z.number().int().nullable().describe('Pass it as `before` for the next page'),
    }),
    flag: 'enableCompanies',
    access: 'anyone',
  },
  'POST /api/v1/companies/{id}/edits': {
    summary: 'Change a company (administrators), or suggest a change (members)',
    params: CompanyId,
    body: z.object({
      changes: Changes,
      reason: WrittenText(REASON_MAX).default(''),
    }),
    ok: z.object({ state: z.enum(['applied', 'suggested']), path: z.string() }),
    flag: 'enableCompanies',
    access: 'suggester',
    limit: EDITS_LIMIT,
  },
  'GET /api/v1/company-edits': {
    summary: 'Pending suggestions, oldest first. For administrators',
    query: z.object({ company: Uuid.optional(), after: z.coerce.number().int().optional() }),
    ok: z.object({ suggestions: z.array(Suggestion), next: z.number().int().nullable() }),
    flag: 'enableCompanies',
    access: 'admin',
  },
  'POST /api/v1/company-edits/{id}/accept': {
    summary: 'Apply a suggestion. For administrators',
    params: EditId,
    ok: z.object({ path: z.string() }),
    flag: 'enableCompanies',
    access: 'admin',
  },
  'POST /api/v1/company-edits/{id}/decline': {
    summary: 'Decline a suggestion. For administrators',
    params: EditId,
    ok: z.object({ isDeclined: z.literal(true) }),
    flag: 'enableCompanies',
    access: 'admin',
  },
  'POST /api/v1/company-edits/{id}/revert': {
    summary: 'Undo an applied change. For administrators',
    params: EditId,
    ok: z.object({ path: z.string() }),
    flag: 'enableCompanies',
    access: 'admin',
  },
  'POST /api/v1/companies/{id}/logo-fetch': {
    summary: 'Look for a logo on the company’s own site. For administrators',
    params: CompanyId,
    ok: z.object({ isQueued: z.literal(true) }),
    status: 202,
    flag: 'enableCompanies',
    access: 'admin',
  },
} satisfies Contract

export type EditContract = typeof editContract
