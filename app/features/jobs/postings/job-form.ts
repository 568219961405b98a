/** A job while it is being written: what is kept of it, and what must change before it goes. Pure. */
import {
  type EmploymentType,
  isCurrency,
  JOB_CITY_MAX,
  JOB_DESCRIPTION_MAX,
  JOB_DESCRIPTION_MIN,
  JOB_PLACES_MAX,
  JOB_REGIONS_MAX,
  JOB_TAG_MAX,
  JOB_TAGS_MAX,
  JOB_TITLE_MAX,
  JOB_TITLE_MIN,
  type JobPlace,
  type RemotePolicy,
  SALARY_MAX,
  type Salary,
  type SalaryPeriod,
  type Seniority,
  USUAL_CURRENCY,
} from '../job.ts'
import { applyProblem, salaryProblem } from './job-problems.ts'

/** As it is sent. */
export interface WrittenJob {
  title: string
  description: string
  places: JobPlace[]
  remotePolicy: RemotePolicy
  hybridDays: number | null
  remoteRegions: string[]
  employmentType: EmploymentType
  seniority: Seniority | null
  salary: {
    minimum: number | null
    maximum: number | null
    currency: string
    period: SalaryPeriod
  }
  tags: string[]
  apply: { link: string | null; email: string | null }
}

/** As it stands in the boxes: amounts and tags are words until they are sent. */
export interface JobDraft {
  title: string
  description: string
  remotePolicy: RemotePolicy
  hybridDays: string
  places: JobPlace[]
  remoteRegions: string[]
  employmentType: EmploymentType
  seniority: Seniority | ''
  minimum: string
  maximum: string
  currency: string
  period: SalaryPeriod
  /** With commas between them. */
  tags: string
  applyBy: 'link' | 'email'
  link: string
  email: string
  /** Stays the same until the job is there: sent twice, it is one job. */
  sending: string
}

export const emptyJob = (sending: string): JobDraft => ({
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
  sending,
})

/** Nothing in it that somebody would miss. */
export const isBlankJob = (job: JobDraft) =>
  [job.title, job.description, job.minimum, job.maximum, job.tags, job.link, job.email].every(
    (text) => text.trim() === '',
  ) && filled(job.places).length === 0

/** Whether two drafts say the same, whichever sending they belong to. */
export const isSameJob = (one: JobDraft, other: JobDraft) =>
  JSON.stringify({ ...one, sending: '' }) === JSON.stringify({ ...other, sending: '' })

/** A job that is there already, in its form. */
export function draftOf(input: WrittenJob, sending: string): JobDraft {
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
    sending,
  }
}

/** What is sent. */
export function jobInput(job: JobDraft): WrittenJob {
  const isHybrid = job.remotePolicy === 'hybrid'
  const isRemote = job.remotePolicy === 'remote'
  const link = linkIn(job.link)
  return {
    title: job.title.trim(),
    description: job.description,
    places: filled(job.places),
    remotePolicy: job.remotePolicy,
    hybridDays: isHybrid && job.hybridDays !== '' ? Number(job.hybridDays) : null,
    remoteRegions: isRemote ? job.remoteRegions : [],
    employmentType: job.employmentType,
    seniority: job.seniority === '' ? null : job.seniority,
    salary: {
      minimum: amountIn(job.minimum),
      maximum: amountIn(job.maximum),
      currency: job.currency.trim().toUpperCase(),
      period: job.period,
    },
    tags: tagsIn(job.tags),
    apply:
      job.applyBy === 'link'
        ? { link: link === '' ? null : link, email: null }
        : { link: null, email: job.email.trim() || null },
  }
}

/** "60,000", "60 000", "32.50" and "60k" as people write them; null for what is no amount. */
export function amountIn(text: string): number | null {
  const typed = text.trim().replace(/[\s,'’_](?=\d{3}(?!\d))/g, '')
  const [, digits, k] = /^(\d{1,9}(?:\.\d{1,2})?)(k?)$/i.exec(typed) ?? []
  return digits === undefined ? null : Number(digits) * (k ? 1000 : 1)
}

/** Each once, however it is written. */
export function tagsIn(text: string): string[] {
  const tags = new Map<string, string>()
  for (const tag of text.split(',').map((each) => each.trim().replace(/\s+/g, ' ')))
    if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  return [...tags.values()]
}

/** "acme.com/jobs" is "https://acme.com/jobs". */
const linkIn = (text: string) => {
  const typed = text.trim()
  return typed === '' || /^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`
}

const filled = (places: readonly JobPlace[]) =>
  places
    .map(({ city, country }) => ({ city: city.trim(), country }))
    .filter(({ city, country }) => city !== '' || country !== '')

export type JobField =
  | 'title'
  | 'description'
  | 'places'
  | 'hybridDays'
  | 'remoteRegions'
  | 'minimum'
  | 'maximum'
  | 'currency'
  | 'tags'
  | 'link'
  | 'email'

export type JobProblems = { [Field in JobField]?: string }

/** What is wrong with each field, as a sentence. The server looks again. */
export function jobProblems(job: JobDraft): JobProblems {
  const { salary, apply, tags } = jobInput(job)
  const pay = salaryProblem(salary)
  const way = applyProblem(apply)
  return {
    title: titleProblem(job.title),
    description: descriptionProblem(job.description),
    places: placesProblem(job),
    hybridDays:
      job.remotePolicy === 'hybrid' && job.hybridDays === ''
        ? 'Please say how many days a week people are in the office: 1 to 4'
        : undefined,
    remoteRegions:
      job.remotePolicy === 'remote' && job.remoteRegions.length > JOB_REGIONS_MAX
        ? `A job has at most ${JOB_REGIONS_MAX} countries; leave them out if it is more`
        : undefined,
    ...(pay && { [payField(salary)]: pay }),
    tags: tagsProblem(tags),
    ...(way && { [job.applyBy]: way }),
  }
}

/** A draft may wait for anything but its title; what it says must be right all the same. */
export function draftProblems(job: JobDraft): JobProblems {
  const { description, places, salary, apply } = jobInput(job)
  const problems = jobProblems(job)
  const hasPay = salary.minimum !== null && salary.maximum !== null
  const hasWay = apply.link !== null || apply.email !== null
  return {
    title: problems.title,
    description: description.length > JOB_DESCRIPTION_MAX ? problems.description : undefined,
    places: places.length > 0 ? problems.places : undefined,
    remoteRegions: problems.remoteRegions,
    ...(hasPay && {
      minimum: problems.minimum,
      maximum: problems.maximum,
      currency: problems.currency,
    }),
    tags: problems.tags,
    ...(hasWay && { link: problems.link, email: problems.email }),
  }
}

/** As the server counts: a sign beyond the first plane is one. */
const lengthOf = (text: string) => [...text].length

export function titleProblem(typed: string): string | undefined {
  const title = typed.trim()
  if (lengthOf(title) < JOB_TITLE_MIN) return `A title has at least ${JOB_TITLE_MIN} characters`
  if (lengthOf(title) > JOB_TITLE_MAX) return `A title has at most ${JOB_TITLE_MAX} characters`
  return /[\p{L}\p{N}]/u.test(title) ? undefined : 'A title needs words'
}

export function descriptionProblem(description: string): string | undefined {
  if (lengthOf(description.trim()) < JOB_DESCRIPTION_MIN)
    return `A description has at least ${JOB_DESCRIPTION_MIN} characters`
  return lengthOf(description) > JOB_DESCRIPTION_MAX
    ? `A description has at most ${JOB_DESCRIPTION_MAX.toLocaleString('en')} characters`
    : undefined
}

function placesProblem({ remotePolicy, places }: JobDraft): string | undefined {
  const given = filled(places)
  if (given.length === 0)
    return remotePolicy === 'remote' ? undefined : 'Please say where the work is done'
  if (given.some(({ city, country }) => city === '' || country === ''))
    return 'Each place has a city and a country'
  if (given.some(({ city }) => city.length > JOB_CITY_MAX))
    return `The name of a city has at most ${JOB_CITY_MAX} characters`
  return given.length > JOB_PLACES_MAX ? `A job has at most ${JOB_PLACES_MAX} places` : undefined
}

function tagsProblem(tags: string[]): string | undefined {
  if (tags.length > JOB_TAGS_MAX) return `A job has at most ${JOB_TAGS_MAX} tags`
  return tags.some((tag) => tag.length > JOB_TAG_MAX)
    ? `A tag has at most ${JOB_TAG_MAX} characters`
    : undefined
}

/** The box that the sentence about the pay stands under. */
function payField({ minimum, maximum, currency }: WrittenJob['salary']) {
  if (minimum === null || !(minimum > 0)) return 'minimum'
  if (maximum === null || maximum < minimum || maximum > SALARY_MAX) return 'maximum'
  return isCurrency(currency) ? 'maximum' : 'currency'
}

/** The job as its page will show it; what is not yet said keeps its place. */
export function previewOf(job: JobDraft, company: PreviewedJob['company']): PreviewedJob {
  const { salary, apply: _, description: __, ...said } = jobInput(job)
  return { ...said, company, salary: shownPay(salary) }
}

/** While only one end is said, it is both. */
function shownPay({ minimum, maximum, currency, period }: WrittenJob['salary']): Salary | null {
  const low = minimum ?? maximum
  const high = maximum ?? minimum
  if (low === null || high === null) return null
  const pay = { minimum: low, maximum: high, currency, period }
  return salaryProblem(pay) === undefined ? pay : null
}

/** What a job's page shows of it beside its text. */
export interface PreviewedJob
  extends Pick<
    WrittenJob,
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
