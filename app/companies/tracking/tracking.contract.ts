/** Views are counted by a separate route, which checks the user agent. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid, UuidList } from '#app/api/schemas.ts'
import { PLOTTED_MAX } from './day-count.ts'
import { ACCESS_DENIED, VIEWS_REFUSALS } from './tracking.ts'

/** The largest page of companies. */
const VIEW_COUNTS_MAX = 100

const Interaction = z.object({
  id: Uuid,
  companyId: Uuid,
  companyName: z.string().describe('The company’s name at the time'),
  userId: z.string().describe('A shortened pseudonym that changes every day'),
  isMe: z.boolean().describe('Whether it was you. We can only tell on the same day'),
  at: z.string().describe('A minute'),
})
export type Interaction = z.output<typeof Interaction>

const number = z.number().int()
const Day = z.string().describe('Such as 2026-03-14')
const Few = number.nullable().describe('Null if fewer than five')

const Analytics = z.object({
  since: Day.nullable().describe('The first day with visitors'),
  days: z
    .array(
      z.object({
        day: Day,
        visitors: number.describe('Estimated number of people or networks'),
        threads: number,
        comments: number,
        requests: number,
        clicks: number,
      }),
    )
    .describe('90 days, ending today. Counted every hour'),
  signUps: z.array(z.object({ from: Day.describe('A Monday'), n: Few })),
  ratings: z.array(z.object({ from: Day.describe('First of a month'), n: Few })),
})
export type Analytics = z.output<typeof Analytics>

export const trackingContract = {
  'POST /api/v1/interactions': {
    summary: 'Count a click on a company in a list. We store nothing about visitors',
    body: z.object({ companyId: Uuid }),
    ok: z.object({ isCounted: z.boolean() }),
    status: 202,
    flag: 'enableCompanies',
    access: 'anyone',
    changes: 'nothing',
  },
  'GET /api/v1/company-views': {
    summary: 'View counts of companies. For administrators',
    query: z.object({
      ids: UuidList(VIEW_COUNTS_MAX),
    }),
    ok: z.object({ views: z.array(z.object({ id: Uuid, views: z.number().int() })) }),
    access: 'admin',
    refusal: { forbidden: VIEWS_REFUSALS.forbidden },
  },
  'GET /api/v1/interactions': {
    summary: 'The 1,000 newest clicks on companies. For administrators',
    ok: z.object({ interactions: z.array(Interaction) }),
    access: 'admin',
    refusal: { forbidden: ACCESS_DENIED.description },
  },
  'GET /api/v1/clicks': {
    summary: 'Clicks on companies per day, for the last 90 days. For administrators',
    query: z.object({ ids: UuidList(PLOTTED_MAX) }),
    ok: z.object({
      today: Day,
      companies: z.array(
        z.object({ id: Uuid, counts: z.array(z.object({ day: Day, n: number })) }),
      ),
    }),
    access: 'admin',
    refusal: { forbidden: ACCESS_DENIED.description },
  },
  'GET /api/v1/analytics': {
    summary: 'Activity per day, week or month. For administrators',
    ok: Analytics,
    access: 'admin',
    refusal: { forbidden: ACCESS_DENIED.description },
  },
} satisfies Contract

export type TrackingContract = typeof trackingContract
