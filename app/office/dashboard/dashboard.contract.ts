/** The numbers for people who act for a company. None is about fewer than five people. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/schemas.ts'
import { POLICY_MODES } from '#app/companies/edits/company-policy.ts'
import { CATEGORY_KEYS, DASHBOARD_REFUSALS, RANGES, USUAL_RANGE } from './dashboard.ts'

const Day = z.string().describe('Like 2026-03-09')
const number = z.number().int()

const Coming = z.object({ from: Day, to: Day, on: Day.describe('The day we count it') })

/** Closed weeks, joined until they include five people. */
const Span = z.object({ from: Day, to: Day, n: number })
export type Span = z.output<typeof Span>

const Posts = z.object({
  spans: z.array(Span),
  n: number.nullable().describe('The sum of all spans. Null if there are none'),
})

const Mean = z.object({ mean: z.number(), ratings: number })
const Part = Mean.extend({ key: z.enum(CATEGORY_KEYS) })

const RatingSpan = z.object({
  from: Day,
  to: Day,
  ratings: number.describe('Given or last changed in this span'),
  score: z.number(),
  parts: z.array(Part).describe('Categories we can show'),
  officeDays: Mean.nullable().describe('Days a week in the office, if we can show them'),
})

const DashboardView = z.object({
  company: z.object({ id: Uuid, name: z.string(), path: z.string() }),
  weeks: z.enum(RANGES),
  from: Day.nullable().describe('The first Monday of the range; null before the first count'),
  until: Day.nullable().describe('The last counted day'),
  coming: z
    .object({ week: Coming, month: Coming })
    .describe('The week of posts and the month of ratings we count next'),
  ratings: z.object({
    spans: z.array(RatingSpan),
    inAll: Mean.nullable(),
    change: z.number().nullable().describe('The last span’s score minus the previous one’s'),
    parts: z.array(Part),
  }),
  threads: Posts,
  comments: Posts,
  followers: z.object({
    n: number.nullable().describe('In fives; null for fewer than five'),
    since: Day.nullable(),
  }),
  office: z.object({
    policy: z
      .object({
        mode: z.enum(POLICY_MODES),
        days: number.nullable(),
        since: z.string().nullable(),
        source: z.string().nullable(),
      })
      .nullable(),
    actual: Mean.nullable().describe('Days a week raters spend in the office, over the spans'),
  }),
  jobs: z
    .object({
      spans: z.array(z.object({ from: Day, to: Day, views: number, applies: number })),
      views: number.nullable(),
      applies: number.nullable(),
    })
    .nullable()
    .describe('Null while jobs are off'),
})
export type DashboardView = z.output<typeof DashboardView>

export const DashboardQuery = z.object({
  weeks: z.enum(RANGES, 'Choose 12, 26 or 52 weeks').default(USUAL_RANGE),
  category: z.enum(CATEGORY_KEYS, 'This category doesn’t exist').optional(),
})
export type DashboardQuery = z.output<typeof DashboardQuery>
export const DashboardParams = z.object({ id: Uuid })

export const DASHBOARD_ACCESS = {
  access: 'employerOrAdmin',
  refusal: { forbidden: DASHBOARD_REFUSALS.forbidden },
} as const

export const dashboardContract = {
  'GET /api/v1/my/dashboards': {
    summary: 'The companies you act for',
    ok: z.object({
      companies: z.array(z.object({ id: Uuid, name: z.string(), path: z.string() })),
    }),
    flag: 'enableDashboard',
    access: 'signedIn',
  },
  'GET /api/v1/companies/{id}/dashboard': {
    summary: 'A company’s numbers',
    params: DashboardParams,
    query: DashboardQuery,
    ok: DashboardView,
    flag: 'enableDashboard',
    ...DASHBOARD_ACCESS,
  },
} satisfies Contract

export type DashboardContract = typeof dashboardContract
