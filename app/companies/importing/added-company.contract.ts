import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { LimitedText } from '#app/api/schemas.ts'
import { CATEGORY_MAX, DESCRIPTION_MAX, NAME_MAX } from '../edits/company-edit.ts'
import { WEB_ADDRESS_MAX } from '../web-address.ts'
import { LOGO_ADDRESS_MAX } from './imported-company.ts'

export const AddedCompanyBody = z.object({
  name: LimitedText(NAME_MAX),
  category: LimitedText(CATEGORY_MAX).default('').describe('Default: "Other"'),
  website: LimitedText(WEB_ADDRESS_MAX).default(''),
  logoUrl: LimitedText(LOGO_ADDRESS_MAX).default('').describe('Address of a logo, fetched once'),
  description: LimitedText(DESCRIPTION_MAX).default(''),
  isAnother: z
    .boolean()
    .default(false)
    .describe('Adds it even if a company with this name or website exists'),
})

const Place = z.object({ name: z.string(), path: z.string() })

export const addedCompanyContract = {
  'POST /api/v1/company-additions': {
    summary: 'Add a company. For administrators',
    body: AddedCompanyBody,
    ok: z.object({
      company: Place.nullable().describe('Null if nothing was added'),
      double: Place.nullable().describe('The company that already has this name or website'),
    }),
    flag: 'enableCompanies',
    access: 'admin',
    refusal: { forbidden: 'Only an administrator can add a company' },
  },
} satisfies Contract

export type AddedCompanyContract = typeof addedCompanyContract
