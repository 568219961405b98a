/** Exists only while the flag enableJobs is on. The commands check for which company. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid, WrittenText } from '#app/api/schemas.ts'
import { FEED_ADDRESS_MAX, FEED_REFUSALS } from './job-feed.ts'

const Id = z.object({ id: Uuid })
const OmittedRow = z.object({ row: z.number().int(), reason: z.string() })

const FeedRun = z.object({
  number: z.number().int(),
  readAt: z.string().describe('A minute'),
  outcome: z
    .enum(['read', 'unchanged', 'failed'])
    .describe('`unchanged` if its server says that it’s still the same'),
  added: z.number().int().describe('New, or open again'),
  changed: z.number().int(),
  closed: z.number().int(),
  listed: z.number().int().describe('Rows of the feed'),
  omittedCount: z.number().int(),
  note: z.string().nullable().describe('Why it failed, or why we closed nothing'),
  omittedRows: z.array(OmittedRow).describe('The first rows that we left out'),
})
export type FeedRun = z.output<typeof FeedRun>

const JobFeed = z.object({
  id: Uuid,
  address: z.string(),
  company: z
    .object({ name: z.string(), path: z.string() })
    .nullable()
    .describe('The only company it can post for. Null for an administrator’s feed'),
  paused: z.string().nullable().describe('Why it’s paused'),
  isReading: z.boolean().describe('Being read, or about to be'),
  openJobs: z.number().int(),
  missing: z
    .number()
    .int()
    .describe(
      'Open jobs that are no longer in the feed. Someone must decide whether to close them',
    ),
  lastRun: FeedRun.omit({ omittedRows: true }).nullable(),
})
export type JobFeed = z.output<typeof JobFeed>

const FeedTrial = z.object({
  listed: z.number().int(),
  fine: z.number().int().describe('Rows that we’d post'),
  jobs: z
    .array(
      z.object({
        title: z.string(),
        company: z.string(),
        location: z.string(),
        salary: z.string(),
      }),
    )
    .describe('The first of them'),
  omittedRows: z.array(OmittedRow).describe('The first rows that we’d leave out'),
})
export type FeedTrial = z.output<typeof FeedTrial>

const NewFeed = z.object({
  address: WrittenText(FEED_ADDRESS_MAX),
  company: Uuid.optional().describe('The only company it can post for. Employers must give it'),
})
export type NewFeed = z.output<typeof NewFeed>

const policy = {
  flag: 'enableJobs',
  access: 'employerOrAdmin',
  refusal: { forbidden: FEED_REFUSALS.forbidden },
} as const
const changing = { ...policy, limit: { name: 'job-feeds', seconds: 600, person: 60 } } as const

export const jobFeedContract = {
  'GET /api/v1/job-feeds': {
    summary: 'A company’s feeds of jobs, or all of the site’s for administrators',
    query: z.object({ company: Uuid.optional() }),
    ok: z.object({ feeds: z.array(JobFeed) }),
    ...policy,
  },
  'POST /api/v1/job-feeds/trial': {
    summary: 'Read a feed without posting anything',
    body: NewFeed,
    ok: FeedTrial,
    ...policy,
    limit: { name: 'job-feed-trials', seconds: 600, person: 20 },
  },
  'POST /api/v1/job-feeds': {
    summary: 'Add a feed. We read it soon, and then every day',
    body: NewFeed,
    ok: z.object({ id: Uuid }),
    status: 201,
    ...changing,
  },
  'GET /api/v1/job-feeds/{id}/runs': {
    summary: 'When and how a feed was read, last first',
    params: Id,
    ok: z.object({ runs: z.array(FeedRun) }),
    ...policy,
  },
  'POST /api/v1/job-feeds/{id}/read': {
    summary: 'Read a feed soon, even if its server says that it’s the same',
    params: Id,
    ok: z.object({ isReading: z.literal(true) }),
    status: 202,
    ...changing,
  },
  'PUT /api/v1/job-feeds/{id}/paused': {
    summary: 'Pause a feed, or resume and take it over',
    params: Id,
    body: z.object({ isPaused: z.boolean() }),
    ok: z.object({ isPaused: z.boolean() }),
    ...changing,
  },
  'POST /api/v1/job-feeds/{id}/close-missing': {
    summary: 'Close the jobs that the last reading missed',
    params: Id,
    ok: z.object({ closed: z.number().int() }),
    ...changing,
  },
  'DELETE /api/v1/job-feeds/{id}': {
    summary: 'Remove a feed, and close its jobs',
    params: Id,
    ok: z.object({ closed: z.number().int() }),
    ...changing,
  },
} satisfies Contract

export type JobFeedContract = typeof jobFeedContract
