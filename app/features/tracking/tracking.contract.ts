/** What can be asked about views and clicks; views are counted by a route that looks at the browser. */
import { z } from 'zod'
import type { Contract } from '../../api/contract.ts'
import { COMPANIES_PAGE_MAX } from '../companies/company.ts'

const LIST_OF_IDS = new RegExp(`^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,${COMPANIES_PAGE_MAX - 1}}$`, 'i')

export const trackingContract = {
  'POST /api/v1/interactions': {
    summary: 'Somebody chose a company from a list; nothing is kept of visitors',
    body: z.object({ companyId: z.uuid() }),
    ok: z.object({ isCounted: z.boolean() }),
    status: 202,
    who: 'anyone',
  },
  'GET /api/v1/company-views': {
    summary: 'How often the pages of companies were seen; for administrators',
    query: z.object({
      ids: z
        .string()
        .regex(LIST_OF_IDS, 'Please give at most 100 ids with commas between')
        .transform((text) => text.toLowerCase().split(','))
        .pipe(z.array(z.uuid())),
    }),
    ok: z.object({ views: z.array(z.object({ id: z.uuid(), views: z.number().int() })) }),
    who: 'member',
  },
} satisfies Contract

export type TrackingContract = typeof trackingContract
