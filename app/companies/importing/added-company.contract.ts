/** How an administrator adds one company. */
import { z } from 'zod'
import { LimitedText } from '#app/api/checked-text.ts'
import type { Contract } from '#app/api/contract.ts'
import { CATEGORY_MAX, DESCRIPTION_MAX, NAME_MAX } from '../edits/company-edit.ts'
import { WEB_ADDRESS_MAX } from '../web-address.ts'
import { LOGO_ADDRESS_MAX } from './imported-company.ts'

export const AddedCompanyBody = z.object({
  name: LimitedText(NAME_MAX),
  category: LimitedText(CATEGORY_MAX).default('').describe('"Other" when empty'),
  website: LimitedText(WEB_ADDRESS_MAX).default(''),
  logoUrl: LimitedText(LOGO_ADDRESS_MAX)
    .default('')
    .describe('Where a picture of its logo is; it is fetched once'),
  description: LimitedText(DESCRIPTION_MAX).default(''),
  isAnother: z
    .boolean()
    .default(false)
    .describe('True adds it although there is one of that name or website'),
})

const Place = z.object({ name: z.string(), path: z.string() })

export const addedCompanyContract = {
  'POST /api/v1/company-additions': {
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
