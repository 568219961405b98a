/** A job's limits, names and types. Runs in the browser too: no I/O here. */
import { slugSuffix } from '#app/kit/writing/text.ts'

export const JOB_TITLE_MIN = 4
export const JOB_TITLE_MAX = 120
export const JOB_DESCRIPTION_MIN = 40
export const JOB_DESCRIPTION_MAX = 20_000
export const JOB_LOCATIONS_MAX = 10
export const JOB_REGIONS_MAX = 20
export const JOB_CITY_MAX = 80
export const JOB_TAGS_MAX = 10
export const JOB_TAG_MAX = 30
/** Days a week in the office. */
export const HYBRID_DAYS = [1, 2, 3, 4] as const
/** Counts from posting or renewing. */
export const JOB_OPEN_DAYS = 60
/** Spec §9: on the home page. */
export const RECENT_JOBS = 3
/** How many drafts and open jobs a company can have. Filled and expired ones don't count. */
export const JOBS_PER_COMPANY_MAX = 500

export const REMOTE_POLICIES = ['on-site', 'hybrid', 'remote'] as const
export type RemotePolicy = (typeof REMOTE_POLICIES)[number]
export const REMOTE_POLICY_NAMES: Record<RemotePolicy, string> = {
  'on-site': 'On-site',
  hybrid: 'Hybrid',
  remote: 'Remote',
}

export const EMPLOYMENT_TYPES = [
  'full-time',
  'part-time',
  'contract',
  'temporary',
  'internship',
  'volunteer',
  'other',
] as const
export type EmploymentType = (typeof EMPLOYMENT_TYPES)[number]
export const EMPLOYMENT_TYPE_NAMES: Record<EmploymentType, string> = {
  'full-time': 'Full-time',
  'part-time': 'Part-time',
  contract: 'Contract',
  temporary: 'Temporary',
  internship: 'Internship',
  volunteer: 'Volunteer',
  other: 'Other',
}

export const SENIORITIES = ['entry', 'junior', 'mid', 'senior', 'lead', 'executive'] as const
export type Seniority = (typeof SENIORITIES)[number]
export const SENIORITY_NAMES: Record<Seniority, string> = {
  entry: 'Entry level',
  junior: 'Junior',
  mid: 'Mid level',
  senior: 'Senior',
  lead: 'Lead',
  executive: 'Executive',
}

export const SALARY_PERIODS = ['year', 'month', 'week', 'day', 'hour'] as const
export type SalaryPeriod = (typeof SALARY_PERIODS)[number]
/** Makes salaries of different periods comparable. */
const PERIODS_A_YEAR: Record<SalaryPeriod, number> = {
  year: 1,
  month: 12,
  week: 52,
  day: 260,
  hour: 2080,
}
export const SALARY_MAX = 100_000_000

/** An open job whose last day has passed is expired. */
export const JOB_STATUSES = ['draft', 'open', 'filled', 'expired'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]
export const JOB_STATUS_NAMES: Record<JobStatus, string> = {
  draft: 'Draft',
  open: 'Open',
  filled: 'Filled',
  expired: 'Expired',
}

export const JOB_SORTS = ['newest', 'salary'] as const
export type JobSort = (typeof JOB_SORTS)[number]
export const JOB_SORT_NAMES: Record<JobSort, string> = {
  newest: 'Newest',
  salary: 'Highest salary',
}

/** Days. */
export const POSTED_WITHIN = [1, 3, 7, 14, 30] as const
export type PostedWithin = (typeof POSTED_WITHIN)[number]

export const USUAL_CURRENCY = 'USD'

export const JOB_REFUSALS = {
  notFound: 'This job doesn’t exist',
  forbidden: 'Only people who act for a company can post its jobs',
  full: `A company can have ${JOBS_PER_COMPANY_MAX} drafts and open jobs at most. Close or delete one first.`,
  underReview: 'Moderators are reviewing this job, so you can’t change it',
  shortDescription: `A description needs at least ${JOB_DESCRIPTION_MIN} characters`,
  neverOpen: 'A draft has never been open. Delete it instead.',
} as const

/** `country`: ISO 3166-1, two letters. */
export interface JobLocation {
  city: string
  country: string
}

export interface Salary {
  minimum: number
  maximum: number
  /** ISO 4217 */
  currency: string
  period: SalaryPeriod
}

/** A job as people write and change it. */
export interface JobInput {
  title: string
  description: string
  places: JobLocation[]
  remotePolicy: RemotePolicy
  hybridDays: number | null
  remoteRegions: string[]
  employmentType: EmploymentType
  seniority: Seniority | null
  salary: Omit<Salary, 'minimum' | 'maximum'> & { minimum: number | null; maximum: number | null }
  tags: string[]
  apply: { link: string | null; email: string | null }
}

/** Filters of the job list and job alerts. A job must match all that are set. */
export interface JobFilters {
  search?: string
  /** The company's id. */
  company?: string
  /** Free text: a city or a country. */
  place?: string
  remote?: RemotePolicy
  type?: EmploymentType
  /** Minimum per year, in `currency`. */
  salary?: number
  currency?: string
}

/** Converts to whole units a year. */
export const yearly = ({ minimum, maximum, period }: Salary) => ({
  minimum: Math.round(minimum * PERIODS_A_YEAR[period]),
  maximum: Math.round(maximum * PERIODS_A_YEAR[period]),
})

export const jobPath = ({ id, title }: { id: string; title: string }) =>
  `/jobs/${id}${slugSuffix(title)}`

/** Spec §3: `posted_days_ago`. */
export function postedAgo(days: number): string {
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  if (days < 7) return `${days} days ago`
  if (days < 14) return 'a week ago'
  if (days < 31) return `${Math.floor(days / 7)} weeks ago`
  return days < 61 ? 'a month ago' : `${Math.floor(days / 30)} months ago`
}
