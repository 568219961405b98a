/** Uploads are raw bodies, which import-api.server.ts mounts by hand. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { IdempotencyKey, LookupText, Uuid, WrittenText } from '#app/api/schemas.ts'
import { SUBJECT_MAX } from '#app/identity/accounts/administrators/admin-action.ts'
import { CATEGORY_MAX, COMPANY_NAME_MAX, DESCRIPTION_MAX } from '../edits/company-edit.ts'
import { WEB_ADDRESS_MAX } from '../web-address.ts'
import { ENCODING_NAMES, type Reading, type ReadingQuestion } from './file-reading.ts'
import { FILL_FIELDS } from './filling.ts'
import { DOUBTS_MAX, IMPORT_REFUSALS } from './import-report.ts'
import { IMPORT_FIELDS, LOGO_ADDRESS_MAX } from './imported-company.ts'
import { MEANINGS } from './unclear-cells.ts'

const TITLE_MAX = 120
const PATH_MAX = 1_000

export const ReadingBody = z.object({
  encoding: z.enum(ENCODING_NAMES).optional(),
  separator: z
    .string()
    .regex(/^(?:[^"\r\n]|width|none)$/)
    .optional()
    .describe('One character, "width" for columns of a fixed width, or "none" for a single column'),
  titles: z.int().min(0).max(10_000).optional().describe('The row with the titles. 0 if none has'),
  list: LookupText(PATH_MAX)
    .optional()
    .describe('Where the companies are in JSON, such as "data.items". "." for the file’s own list'),
})

/** The line of JSON before an uploaded file. */
export const ImportPlanBody = z.object({
  format: z.enum(['csv', 'json']),
  source: WrittenText(SUBJECT_MAX).optional().describe('The name of the file'),
  reading: ReadingBody.optional().describe('How to read the file. Default: recognised'),
  columns: z
    .record(LookupText(TITLE_MAX), z.enum(IMPORT_FIELDS))
    .optional()
    .describe('Field by column title. Default: guessed by title'),
  categories: z
    .record(LookupText(TITLE_MAX), LookupText(CATEGORY_MAX).min(1))
    .optional()
    .describe('The site’s category for each category in the file'),
  isNew: z
    .array(z.int().min(1))
    .max(DOUBTS_MAX)
    .optional()
    .describe('Rows that look like an existing company but aren’t'),
  isSame: z
    .array(z.object({ row: z.int().min(1), companyId: Uuid }))
    .max(DOUBTS_MAX)
    .optional()
    .describe('Rows that are the company they look like'),
  replace: z
    .array(z.enum(FILL_FIELDS))
    .max(FILL_FIELDS.length)
    .optional()
    .describe('Fields in which rows replace what companies have. Others are only filled if empty'),
  meanings: z
    .object({
      point: z.enum(MEANINGS.point).describe('What the point in a size such as "1.234" separates'),
      years: z.enum(MEANINGS.years).describe('Which year of "1904/1946" counts'),
      century: z.enum(MEANINGS.century).describe('Which century "31.12.98" is in'),
      ticker: z.enum(MEANINGS.ticker).describe('What the ticker "NA" is'),
      country: z.enum(MEANINGS.country).describe('What the country "NA" is'),
    })
    .partial()
    .optional()
    .describe('How to read cells that have two readings. Default: they’re left out'),
  id: IdempotencyKey.optional(),
})
export type ImportPlan = z.output<typeof ImportPlanBody>

export interface SurveyedColumn {
  title: string
  field: (typeof IMPORT_FIELDS)[number] | null
  samples: string[]
  /** Distinct values that could be categories, with counts. Null if there are too many. */
  values: { value: string; count: number }[] | null
}

export interface FileColumns {
  /** How we read it. */
  reading: Reading
  rows: number
  columns: SurveyedColumn[]
  /** The site's categories. */
  categories: string[]
  /** Earlier choices, by `categoryKeyOf`. */
  chosen: Record<string, string>
}

/** A file's columns. Or what someone must choose first, and what they chose so far. */
export type FileSurvey = FileColumns | { reading: Reading; question: ReadingQuestion }

const Import = z.object({
  id: Uuid,
  day: z.string(),
  admin: z.string().describe('The administrator’s name, as logged'),
  source: z.string(),
  added: z.int(),
  skipped: z.int(),
  failed: z.int(),
  isUndone: z.boolean(),
  left: z.int().describe('How many of its companies are still here'),
  filled: z.int().describe('How many companies still have fields that it filled'),
})
export type PastImport = z.output<typeof Import>

/** `kept` lists the first companies that stayed. `has` is empty if a company's posts were removed just now. */
const Undone = z.object({
  removed: z.int(),
  kept: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      has: z.array(z.string()).describe('What people added there, such as "threads"'),
    }),
  ),
  keptCount: z.int(),
  putBack: z.int().describe('Fields that are as they were'),
  keptFields: z.int().describe('Fields that someone has changed since'),
})
export type UndoneImport = z.output<typeof Undone>

/** Spec §6, S11. */
export const FOR_IMPORTS = {
  access: 'admin',
  refusal: { forbidden: IMPORT_REFUSALS.forbidden },
} as const

export const importsContract = {
  'GET /api/v1/past-imports': {
    summary: 'The latest imports, and who made them',
    ok: z.object({ imports: z.array(Import) }),
    ...FOR_IMPORTS,
  },
  'POST /api/v1/past-imports/{id}/undo': {
    summary:
      'Delete the companies an import added, and put back the fields it filled, except what people have used or changed',
    params: z.object({ id: Uuid }),
    ok: Undone,
    ...FOR_IMPORTS,
  },
} satisfies Contract

export type ImportsContract = typeof importsContract

export const AddedCompanyBody = z.object({
  name: WrittenText(COMPANY_NAME_MAX),
  category: WrittenText(CATEGORY_MAX).default('').describe('Default: "Other"'),
  website: WrittenText(WEB_ADDRESS_MAX).default(''),
  logoUrl: WrittenText(LOGO_ADDRESS_MAX).default('').describe('Address of a logo, fetched once'),
  description: WrittenText(DESCRIPTION_MAX).default(''),
  isAnother: z
    .boolean()
    .default(false)
    .describe('Add it even if a company with this name or website exists'),
})

const NamedCompany = z.object({ name: z.string(), path: z.string() })

export const addedCompanyContract = {
  'POST /api/v1/company-additions': {
    summary: 'Add a company. For administrators',
    body: AddedCompanyBody,
    ok: z.object({
      company: NamedCompany.nullable().describe('Null if nothing was added'),
      double: NamedCompany.nullable().describe('The company that already has this name or website'),
    }),
    flag: 'enableCompanies',
    access: 'admin',
    refusal: { forbidden: IMPORT_REFUSALS.forbiddenToAdd },
  },
} satisfies Contract

export type AddedCompanyContract = typeof addedCompanyContract
