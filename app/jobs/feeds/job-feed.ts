/** An address with other sites' jobs, which we read every day. Runs in the browser too: no I/O here. */
import { tidyWebsite, websiteProblem } from '#app/companies/web-address.ts'
import { counted, grouped } from '#app/kit/ui/format.ts'

export const FEED_ADDRESS_MAX = 2_000
export const FEEDS_PER_COMPANY_MAX = 5
export const FEED_MEGABYTES_MAX = 20
export const FEED_JOBS_MAX = 10_000
/** Failures in a row until we pause a feed. */
export const FEED_FAILURES_MAX = 5
/** How many of a feed's readings we keep and show. */
export const FEED_RUNS_KEPT = 30
/** How many left-out rows we show per reading. */
export const OMITTED_ROWS_SHOWN = 20
export const TRIED_JOBS_SHOWN = 3

/** Where people manage feeds. */
export const SITE_FEEDS_PATH = '/admin?section=feeds'
export const companyFeedsPath = (companyId: string) => `/dashboard?company=${companyId}#job-feeds`

export const tidyFeedAddress = (typed: string) => tidyWebsite(typed) ?? ''

/** @param address from `tidyFeedAddress` */
export function feedAddressProblem(address: string): string | undefined {
  if (address === '') return 'Please enter the feed’s address'
  if (address.length > FEED_ADDRESS_MAX)
    return `A feed’s address can have at most ${grouped(FEED_ADDRESS_MAX)} characters`
  if (/\s/.test(address)) return 'This isn’t a valid feed address'
  // Paths and queries may be long.
  return websiteProblem(address.replace(/^([^:]+:\/\/[^/?#]*).*$/, '$1'), 'feed')
}

export const FEED_REFUSALS = {
  notFound: 'This feed doesn’t exist',
  forbidden: 'Only people who act for the company, and administrators, can manage its feeds',
  siteForbidden: 'Only an administrator can manage feeds for several companies',
  known: 'This feed is already here',
  full: `A company can have at most ${FEEDS_PER_COMPANY_MAX} feeds. Remove one first.`,
  isPaused: 'This feed is paused. Resume it first.',
  otherCompany: (named: string, own: string) =>
    `This job is for “${named}”. This feed can only post jobs at ${own}.`,
  twice: 'An earlier row has the same id or link',
  deleted: 'Someone deleted this job here',
  tooMany: `The feed has more than ${grouped(FEED_JOBS_MAX)} jobs`,
} as const

/** Why a feed is paused. */
export const PAUSES = {
  'by-hand': 'Someone paused it.',
  'giver-gone': 'The person who added it can no longer post these jobs. Resume it to take it over.',
  failures: `We couldn’t read it ${FEED_FAILURES_MAX} times in a row.`,
} as const
export type Pause = keyof typeof PAUSES

/** @param note of the last run */
export const pauseText = (paused: Pause, note: string | null | undefined) =>
  paused === 'failures' && note ? `${PAUSES[paused]} ${note}.` : PAUSES[paused]

export const jobsCounted = (count: number) => counted(count, 'job')

export const FEED_NOTES = {
  empty: 'The feed has no jobs.',
  unread: (rows: number, missing: number) =>
    `We couldn’t read ${counted(rows, 'row')} at all, so we don’t know which ${missing === 1 ? 'job is' : 'jobs are'} gone, and closed none.`,
  missing: (missing: number, open: number) =>
    `${grouped(missing)} of ${jobsCounted(open)} ${missing === 1 ? 'is' : 'are'} missing from the feed. If half or more are missing, we ask before we close them.`,
} as const

interface RunCounts {
  outcome: 'read' | 'unchanged' | 'failed'
  added: number
  changed: number
  closed: number
  omittedCount: number
  note: string | null
}

/** "3 new, 1 changed, 2 closed, 4 left out" */
export function runSentence({ outcome, added, changed, closed, omittedCount, note }: RunCounts) {
  if (outcome === 'failed') return note ?? 'We couldn’t read it'
  if (outcome === 'unchanged') return 'nothing new'
  const counts = { new: added, changed, closed, 'left out': omittedCount }
  const said = Object.entries(counts).flatMap(([what, n]) => (n > 0 ? `${grouped(n)} ${what}` : []))
  return said.length > 0 ? said.join(', ') : 'nothing new'
}

/** "5 rows: 4 new, 1 left out" */
export const logSentence = (run: RunCounts & { listed: number }) =>
  run.outcome === 'read'
    ? `${counted(run.listed, 'row')}: ${runSentence(run)}`
    : run.outcome === 'unchanged'
      ? 'Unchanged since we last read it'
      : runSentence(run)

/** What the columns hold. Every one that's not here is ignored. */
export const FEED_COLUMNS: [name: string, text: string][] = [
  ['id', 'The job’s number in your system. Without it, we go by the link.'],
  [
    'company',
    'Name, website, or the end of its address here. An employer’s feed can leave it out.',
  ],
  ['title, description', 'Needed. HTML becomes text.'],
  ['city, country', 'Needed unless it’s remote. Separate several with semicolons.'],
  ['remote_policy', 'on-site, hybrid (with hybrid_days) or remote (with remote_regions)'],
  [
    'employment_type',
    'FULL_TIME, PART_TIME, CONTRACTOR, TEMPORARY, INTERN, VOLUNTEER, PER_DIEM, OTHER',
  ],
  [
    'salary_min, salary_max, salary_currency, salary_period',
    'Needed, or one text as salary: “60,000–75,000 EUR a year”. Periods: HOUR, DAY, WEEK, MONTH, YEAR.',
  ],
  ['apply_link or apply_email', 'Needed.'],
  [
    'posted_date, valid_through',
    'Such as 2026-03-14. Without a last day, it’s open while it’s listed.',
  ],
  ['seniority, tags', 'As on the form.'],
]

export const FEED_SAMPLES = {
  CSV: `id,title,description,city,country,employment_type,salary_min,salary_max,salary_currency,salary_period,apply_link
7,Clock fitter,"You repair old clocks in a quiet shop, with three others.",Berlin,DE,FULL_TIME,60000,75000,EUR,YEAR,https://example.com/jobs/7
`,
  JSON: `[{
  "@type": "JobPosting",
  "identifier": "7",
  "title": "Clock fitter",
  "description": "<p>You repair old clocks in a quiet shop, with three others.</p>",
  "hiringOrganization": { "name": "Example Company" },
  "jobLocation": { "address": { "addressLocality": "Berlin", "addressCountry": "DE" } },
  "employmentType": "FULL_TIME",
  "baseSalary": { "currency": "EUR", "value": { "minValue": 60000, "maxValue": 75000, "unitText": "YEAR" } },
  "url": "https://example.com/jobs/7"
}]
`,
  XML: `<?xml version="1.0" encoding="utf-8"?>
<source>
  <job>
    <referencenumber>7</referencenumber>
    <title>Clock fitter</title>
    <company>Example Company</company>
    <city>Berlin</city>
    <country>DE</country>
    <description><![CDATA[<p>You repair old clocks in a quiet shop, with three others.</p>]]></description>
    <jobtype>FULL_TIME</jobtype>
    <salary>60,000–75,000 EUR a year</salary>
    <url>https://example.com/jobs/7</url>
  </job>
</source>
`,
} as const
