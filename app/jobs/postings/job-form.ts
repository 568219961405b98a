/** The state of the job form. Pure. */
import {
  type EmploymentType,
  type JobInput,
  type JobLocation,
  type RemotePolicy,
  type Salary,
  type SalaryPeriod,
  type Seniority,
  USUAL_CURRENCY,
} from '../job.ts'
import { jobProblems, salaryProblem, tidyJob } from './job-problems.ts'

/** A job as typed: amounts and tags are strings until sent. */
export interface JobDraft {
  title: string
  description: string
  remotePolicy: RemotePolicy
  hybridDays: string
  places: JobLocation[]
  remoteRegions: string[]
  employmentType: EmploymentType
  seniority: Seniority | ''
  minimum: string
  maximum: string
  currency: string
  period: SalaryPeriod
  /** Separated by commas. */
  tags: string
  applyBy: 'link' | 'email'
  link: string
  email: string
  /** Kept until the job exists, so sending twice makes only one job. */
  idempotencyKey: string
}

export const emptyJob = (idempotencyKey: string): JobDraft => ({
  title: '',
  description: '',
  remotePolicy: 'on-site',
  hybridDays: '',
  places: [{ city: '', country: '' }],
  remoteRegions: [],
  employmentType: 'full-time',
  seniority: '',
  minimum: '',
  maximum: '',
  currency: USUAL_CURRENCY,
  period: 'year',
  tags: '',
  applyBy: 'link',
  link: '',
  email: '',
  idempotencyKey,
})

/** Whether the form holds nothing that anyone would miss. */
export const isBlankJob = (job: JobDraft) =>
  [job.title, job.description, job.minimum, job.maximum, job.tags, job.link, job.email].every(
    (text) => text.trim() === '',
  ) && jobInput(job).places.length === 0

/** Compares everything but the idempotency key. */
export const isSameJob = (one: JobDraft, other: JobDraft) =>
  JSON.stringify({ ...one, idempotencyKey: '' }) ===
  JSON.stringify({ ...other, idempotencyKey: '' })

/** An existing job as form state. */
export function jobDraftOf(input: JobInput, idempotencyKey: string): JobDraft {
  const { salary, apply } = input
  return {
    title: input.title,
    description: input.description,
    remotePolicy: input.remotePolicy,
    hybridDays: input.hybridDays === null ? '' : String(input.hybridDays),
    places: input.places.length > 0 ? input.places : [{ city: '', country: '' }],
    remoteRegions: input.remoteRegions,
    employmentType: input.employmentType,
    seniority: input.seniority ?? '',
    minimum: salary.minimum === null ? '' : String(salary.minimum),
    maximum: salary.maximum === null ? '' : String(salary.maximum),
    currency: salary.currency,
    period: salary.period,
    tags: input.tags.join(', '),
    applyBy: apply.email !== null ? 'email' : 'link',
    link: apply.link ?? '',
    email: apply.email ?? '',
    idempotencyKey,
  }
}

/** Form state as the request body. */
export function jobInput(job: JobDraft): JobInput {
  const link = linkIn(job.link)
  return tidyJob({
    title: job.title,
    description: job.description,
    places: job.places.filter(({ city, country }) => city.trim() !== '' || country !== ''),
    remotePolicy: job.remotePolicy,
    hybridDays: job.hybridDays === '' ? null : Number(job.hybridDays),
    remoteRegions: job.remoteRegions,
    employmentType: job.employmentType,
    seniority: job.seniority === '' ? null : job.seniority,
    salary: {
      minimum: amountIn(job.minimum),
      maximum: amountIn(job.maximum),
      currency: job.currency,
      period: job.period,
    },
    tags: job.tags.split(','),
    apply: job.applyBy === 'link' ? { link, email: null } : { link: null, email: job.email },
  })
}

/** Reads "60,000", "60 000", "32.50", "60k". Null for anything else. */
export function amountIn(text: string): number | null {
  const typed = text.trim().replace(/[\s,'’_](?=\d{3}(?!\d))/g, '')
  const [, digits, k] = /^(\d{1,9}(?:\.\d{1,2})?)(k?)$/i.exec(typed) ?? []
  return digits === undefined ? null : Number(digits) * (k ? 1000 : 1)
}

/** Adds https:// if no scheme was typed. */
const linkIn = (text: string) => {
  const typed = text.trim()
  return typed === '' || /^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`
}

export type JobField = Exclude<keyof ReturnType<typeof jobProblems>, 'apply'> | 'link' | 'email'
export type JobProblems = { [Field in JobField]?: string }

export function formProblems(job: JobDraft, isDraft = false): JobProblems {
  const { apply, ...problems } = jobProblems(jobInput(job), isDraft)
  return { ...problems, [job.applyBy]: apply }
}

export function previewOf(job: JobDraft, company: PreviewedJob['company']): PreviewedJob {
  const { salary, apply: _, description: __, ...shown } = jobInput(job)
  return { ...shown, company, salary: shownPay(salary) }
}

/** If only one bound is given, it counts as both. */
function shownPay({ minimum, maximum, currency, period }: JobInput['salary']): Salary | null {
  const low = minimum ?? maximum
  const high = maximum ?? minimum
  if (low === null || high === null) return null
  const pay = { minimum: low, maximum: high, currency, period }
  return salaryProblem(pay) === undefined ? pay : null
}

/** What a job's page shows in addition to the description. */
export interface PreviewedJob
  extends Pick<
    JobInput,
    | 'title'
    | 'places'
    | 'remotePolicy'
    | 'hybridDays'
    | 'remoteRegions'
    | 'employmentType'
    | 'seniority'
    | 'tags'
  > {
  company: { id: string; name: string; path: string; logoUrl: string | null; rating: number | null }
  salary: Salary | null
}
