/** How an administrator adds one company. */
import { z } from 'zod'
import type { Contract } from '../../api/contract.ts'

/** Longer than any of them may be: how long it may be, the command says in a sentence. */
const text = z.string().max(2_000)

export const AddedCompanyBody = z.object({
  name: text,
  category: text.default('').describe('"Other" when empty'),
  website: text.default(''),
  logoUrl: text.default('').describe('Where a picture of its logo is; it is fetched once'),
  description: text.default(''),
  isAnother: z
    .boolean()
    .default(false)
    .describe('True adds it although there is one of that name or website'),
})

const Place = z.object({ name: z.string(), path: z.string() })

export const addedCompanyContract = {
  'POST /api/v1/companies': {
    summary: 'Add a company; for administrators',
    body: AddedCompanyBody,
    ok: z.object({
      company: Place.nullable().describe('Null when nothing was added'),
      double: Place.nullable().describe('What has that name or website already'),
    }),
    flag: 'enableCompanies',
    access: 'admin',
    refusal: { forbidden: 'Only an administrator can add a company' },
  },
} satisfies Contract

export type AddedCompanyContract = typeof addedCompanyContract
