/** Uploads are raw bodies and mounted by hand: import-api.server.ts. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { LimitedText, Uuid } from '#app/api/schemas.ts'
import { SUBJECT_MAX } from '#app/identity/accounts/administrators/admin-action.ts'
import { CATEGORY_MAX } from '../edits/company-edit.ts'
import { DOUBTS_MAX } from './import-report.ts'
import { IMPORT_FIELDS } from './imported-company.ts'

const TITLE_MAX = 120

/** The line before an uploaded file. */
export const ImportPlanBody = z.object({
  format: z.enum(['csv', 'json']),
  source: LimitedText(SUBJECT_MAX).optional().describe('The name of the file'),
  columns: z
    .record(z.string().max(TITLE_MAX), z.enum(IMPORT_FIELDS))
    .optional()
    .describe('Field by column title. Default: guessed by title'),
  categories: z
    .record(z.string().max(TITLE_MAX), z.string().min(1).max(CATEGORY_MAX))
    .optional()
    .describe('The site’s category for each of the list'),
  isNew: z
    .array(z.int().min(1))
    .max(DOUBTS_MAX)
    .optional()
    .describe('Rows that look like an existing company, but are another one'),
  id: Uuid.optional().describe('Idempotency key: repeated with it, nothing is added twice'),
})
export type ImportPlan = z.output<typeof ImportPlanBody>

export interface SurveyedColumn {
  title: string
  field: (typeof IMPORT_FIELDS)[number] | null
  samples: string[]
  /** Distinct values that could be categories, with counts; null if too many. */
  values: { value: string; count: number }[] | null
}

export interface FileColumns {
  rows: number
  columns: SurveyedColumn[]
  /** Of the site. */
  categories: string[]
  /** Earlier choices, by `categoryKeyOf`. */
  chosen: Record<string, string>
}

const Import = z.object({
  id: Uuid,
  day: z.string(),
  admin: z.string().describe('Name, as in the administrators’ log'),
  source: z.string(),
  added: z.int(),
  skipped: z.int(),
  failed: z.int(),
  isUndone: z.boolean(),
  left: z.int().describe('How many of its companies are still here'),
})

/** Spec §6, S11. */
export const FOR_IMPORTS = {
  access: 'admin',
  refusal: { forbidden: 'Only an administrator can import companies' },
} as const

export const importsContract = {
  'GET /api/v1/past-imports': {
    summary: 'The latest imports, and who made them',
    ok: z.object({ imports: z.array(Import) }),
    ...FOR_IMPORTS,
  },
  'POST /api/v1/past-imports/{id}/undo': {
    summary: 'Delete the companies of an import, except those people have used',
    params: z.object({ id: Uuid }),
    ok: z.object({
      removed: z.int(),
      kept: z.array(
        z.object({
          name: z.string(),
          path: z.string(),
          has: z.array(z.string()).describe('What people did there, such as "threads"'),
        }),
      ),
      keptCount: z.int(),
    }),
    ...FOR_IMPORTS,
  },
} satisfies Contract

export type ImportsContract = typeof importsContract
