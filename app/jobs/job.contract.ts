/** Exists only while the flag enableJobs is on. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { After, IdempotencyKey, LookupText, Uuid, WrittenText } from '#app/api/schemas.ts'
import { HIDDEN_STATES } from '#app/community/reports/report.ts'
import { WEB_ADDRESS_MAX } from '#app/companies/web-address.ts'
import { EMAIL_MAX } from '#app/identity/accounts/account.ts'
import {
  EMPLOYMENT_TYPES,
  JOB_CITY_MAX,
  JOB_DESCRIPTION_MAX,
  JOB_REFUSALS,
  JOB_SORTS,
  JOB_STATUSES,
  JOB_TAG_MAX,
  JOB_TITLE_MAX,
  POSTED_WITHIN,
  REMOTE_POLICIES,
  SALARY_MAX,
  SALARY_PERIODS,
  SENIORITIES,
} from './job.ts'
import { LOCATION_MAX, SEARCH_MAX } from './search/job-list-address.ts'

const JobId = z.object({ id: Uuid })
const CompanyId = z.object({ id: Uuid })
const AlertId = z.object({ id: Uuid })

const JobLocation = z.object({
  city: WrittenText(JOB_CITY_MAX),
  country: LookupText(2).describe('ISO 3166-1, two letters'),
})

const Salary = z.object({
  minimum: z.number(),
  maximum: z.number(),
  currency: z.string().describe('ISO 4217'),
  period: z.enum(SALARY_PERIODS),
})

const JobRow = z.object({
  id: Uuid,
  path: z.string(),
  title: z.string(),
  excerpt: z.string(),
  demo: z.boolean().describe('True if it’s made up, as part of the demo data'),
  company: z.object({
    id: Uuid,
    name: z.string(),
    path: z.string(),
    logoUrl: z.string().nullable(),
    rating: z
      .number()
      .nullable()
      .describe('The company’s rating, as on its page. Null is shown as "--"'),
  }),
  places: z.array(JobLocation),
  remotePolicy: z.enum(REMOTE_POLICIES),
  hybridDays: z.number().int().nullable().describe('Days a week in the office, for hybrid jobs'),
  remoteRegions: z
    .array(z.string())
    .describe('ISO 3166-1 codes. For remote jobs, an empty list means anywhere'),
  employmentType: z.enum(EMPLOYMENT_TYPES),
  seniority: z.enum(SENIORITIES).nullable(),
  salary: Salary,
  tags: z.array(z.string()),
  status: z.enum(JOB_STATUSES),
  postedOn: z.string().nullable().describe('The day it was posted. Null for a draft'),
  postedDaysAgo: z.number().int().nullable(),
  validThrough: z.string().nullable().describe('The last day it’s open'),
})
export type JobRow = z.output<typeof JobRow>

const JobsPage = z.object({ jobs: z.array(JobRow), next: z.string().nullable() })
export type JobsPage = z.output<typeof JobsPage>

const Job = JobRow.extend({
  html: z.string().describe('The description'),
  apply: z.object({ link: z.string().nullable(), email: z.string().nullable() }),
  structuredData: z
    .string()
    .nullable()
    .describe('JobPosting of schema.org as JSON, for an open job'),
})
export type Job = z.output<typeof Job>

/** Lenient, because the command's rules have the sentences. */
const JobInput = z.object({
  title: WrittenText(JOB_TITLE_MAX),
  description: WrittenText(JOB_DESCRIPTION_MAX),
  places: z.array(JobLocation).max(50).default([]),
  remotePolicy: z.enum(REMOTE_POLICIES),
  hybridDays: z.number().int().nullable().default(null),
  remoteRegions: z.array(LookupText(2)).max(300).default([]),
  employmentType: z.enum(EMPLOYMENT_TYPES),
  seniority: z.enum(SENIORITIES).nullable().default(null),
  salary: z.object({
    minimum: z.number().nullable(),
    maximum: z.number().nullable(),
    currency: LookupText(10),
    period: z.enum(SALARY_PERIODS),
  }),
  tags: z.array(WrittenText(JOB_TAG_MAX)).max(50).default([]),
  apply: z.object({
    link: WrittenText(WEB_ADDRESS_MAX).nullable(),
    email: WrittenText(EMAIL_MAX).nullable(),
  }),
})

const JobFilters = z.object({
  search: LookupText(SEARCH_MAX).optional(),
  company: Uuid.optional(),
  place: LookupText(LOCATION_MAX).optional().describe('A city or a country, as text'),
  remote: z.enum(REMOTE_POLICIES).optional(),
  type: z.enum(EMPLOYMENT_TYPES).optional(),
  salary: z.coerce.number().int().min(1).max(SALARY_MAX).optional().describe('Minimum per year'),
  currency: LookupText(3).optional().describe('The currency of `salary`. Default: USD'),
})

const EditableJob = z.object({
  id: Uuid,
  companyId: Uuid,
  input: JobInput,
  status: z.enum(JOB_STATUSES),
  validThrough: z.string().nullable(),
})
export type EditableJob = z.output<typeof EditableJob>

const OwnJob = JobRow.extend({
  views: z.number().int().nullable().describe('Null until five people have viewed it'),
  applies: z.number().int().nullable().describe('Null until five people have gone on to apply'),
  moderation: z
    .object({
      state: z
        .enum(['reported', ...HIDDEN_STATES])
        .describe('True if it’s been reported, but is still shown'),
      reasons: z.array(z.string()),
    })
    .nullable()
    .describe('Why people reported it, as of last night, or why it’s hidden'),
})
export type OwnJob = z.output<typeof OwnJob>

const JOBS_LIMIT = { name: 'jobs', seconds: 600, person: 120 }

export const jobContract = {
  'GET /api/v1/jobs': {
    summary: 'Open jobs, a page at a time',
    query: JobFilters.extend({
      ...After.shape,
      within: z.coerce
        .number()
        .int()
        .refine((days) => (POSTED_WITHIN as readonly number[]).includes(days), {
          error: `Please choose ${POSTED_WITHIN.join(', ')}`,
        })
        .optional()
        .describe('Posted within this many days'),
      sort: z.enum(JOB_SORTS).default('newest'),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    ok: JobsPage,
    flag: 'enableJobs',
    access: 'anyone',
    isShared: 'catalog',
  },
  'GET /api/v1/jobs/{id}': {
    summary: 'One job, even if it’s filled or expired',
    params: JobId,
    ok: Job,
    flag: 'enableJobs',
    access: 'anyone',
  },
  'POST /api/v1/jobs/{id}/seen': {
    summary: 'Count someone who views it or goes on to apply, once a day per person',
    params: JobId,
    body: z.object({ what: z.enum(['view', 'apply']) }),
    ok: z.object({}),
    status: 202,
    flag: 'enableJobs',
    access: 'anyone',
    changes: 'nothing',
  },
  'GET /api/v1/my/jobs': {
    summary: 'The jobs at the companies you act for, including drafts, newest first',
    query: z.object({ company: Uuid.optional() }),
    ok: z.object({
      companies: z.array(z.object({ id: Uuid, name: z.string(), path: z.string() })),
      jobs: z.array(OwnJob),
    }),
    flag: 'enableJobs',
    access: 'signedIn',
  },
  'GET /api/v1/my/jobs/{id}': {
    summary: 'What a job’s form contains, for people who act for its company',
    params: JobId,
    ok: EditableJob,
    flag: 'enableJobs',
    access: 'signedIn',
  },
  'POST /api/v1/companies/{id}/jobs': {
    summary: 'Create a job, as a draft or open',
    params: CompanyId,
    body: z.object({
      job: JobInput,
      isDraft: z.boolean().default(false),
      idempotencyKey: IdempotencyKey,
    }),
    ok: z.object({ id: Uuid, path: z.string(), status: z.enum(JOB_STATUSES) }),
    status: 201,
    flag: 'enableJobs',
    access: 'employer',
    refusal: { forbidden: JOB_REFUSALS.forbidden },
    limit: JOBS_LIMIT,
  },
  'PUT /api/v1/jobs/{id}': {
    summary: 'Change a job',
    params: JobId,
    body: z.object({
      job: JobInput,
      before: JobInput.optional().describe(
        'The job as you last saw it. We reject the change if the job is different by now',
      ),
    }),
    ok: z.object({ path: z.string(), status: z.enum(JOB_STATUSES) }),
    flag: 'enableJobs',
    access: 'employer',
    refusal: { forbidden: JOB_REFUSALS.forbidden },
    limit: JOBS_LIMIT,
  },
  'POST /api/v1/jobs/{id}/status': {
    summary: 'Open a draft, renew an open or expired job for sixty days, or close it as filled',
    params: JobId,
    body: z.object({ to: z.enum(['open', 'filled']) }),
    ok: z.object({ status: z.enum(JOB_STATUSES), validThrough: z.string().nullable() }),
    flag: 'enableJobs',
    access: 'employer',
    refusal: { forbidden: JOB_REFUSALS.forbidden },
    limit: JOBS_LIMIT,
  },
  'DELETE /api/v1/jobs/{id}': {
    summary: 'Permanently delete a job',
    params: JobId,
    ok: z.object({ isDeleted: z.literal(true) }),
    flag: 'enableJobs',
    access: 'employer',
    refusal: { forbidden: JOB_REFUSALS.forbidden },
    limit: JOBS_LIMIT,
  },
} satisfies Contract

export type JobContract = typeof jobContract

const JobAlert = z.object({
  id: Uuid,
  filters: JobFilters,
  company: z.string().nullable().describe('The name of the company, if it’s limited to one'),
})
export type JobAlert = z.output<typeof JobAlert>

/** Limited per network, too, because anyone can make up anonymous ids. */
const SAVED_JOBS_LIMIT = { name: 'saved-jobs', seconds: 600, person: 120, network: 1_200 }

export const savedJobContract = {
  'GET /api/v1/my/saved-jobs': {
    summary: 'Your saved jobs, most recently saved first, without deleted ones',
    ok: z.object({ jobs: z.array(JobRow) }),
    flag: 'enableJobs',
    access: 'ownData',
  },
  'GET /api/v1/my/saved-jobs/ids': {
    summary: 'Only the ids of your saved jobs, for marking them on pages',
    ok: z.object({ jobIds: z.array(Uuid) }),
    flag: 'enableJobs',
    access: 'ownData',
  },
  'PUT /api/v1/jobs/{id}/saved': {
    summary: 'Save a job, or remove it from your saved jobs',
    params: JobId,
    body: z.object({ isSaved: z.boolean() }),
    ok: z.object({ isSaved: z.boolean() }),
    flag: 'enableJobs',
    access: 'ownData',
    limit: SAVED_JOBS_LIMIT,
    changes: 'nothing',
  },
  'GET /api/v1/my/job-alerts': {
    summary: 'Your job alerts, newest first',
    ok: z.object({ alerts: z.array(JobAlert) }),
    flag: 'enableJobs',
    access: 'ownData',
  },
  'POST /api/v1/my/job-alerts': {
    summary: 'Create a job alert. The same filters don’t create a second one',
    body: JobFilters,
    ok: z.object({ id: Uuid }),
    status: 201,
    flag: 'enableJobs',
    access: 'ownData',
    limit: SAVED_JOBS_LIMIT,
  },
  'DELETE /api/v1/my/job-alerts/{id}': {
    summary: 'Delete a job alert',
    params: AlertId,
    ok: z.object({ isDeleted: z.literal(true) }),
    flag: 'enableJobs',
    access: 'ownData',
    limit: SAVED_JOBS_LIMIT,
  },
} satisfies Contract

export type SavedJobContract = typeof savedJobContract
