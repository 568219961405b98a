/** What a company learns of itself: numbers of many, never of one. Runs in the browser too: no I/O here. */
import { RATING_CATEGORIES, type RatingCategory } from '#app/companies/company.ts'

/** How far back one may look, in weeks. */
export const RANGES = ['12', '26', '52'] as const
export type Range = (typeof RANGES)[number]
export const RANGE_NAMES: Record<Range, string> = {
  '12': 'The last 12 weeks',
  '26': 'The last 26 weeks',
  '52': 'The last 52 weeks',
}
export const USUAL_RANGE: Range = '26'

export const DASHBOARD = {
  title: 'Dashboard',
  text: 'What people say about your company, in numbers of at least five people each.',
}
/** What visitors read before they sign in. */
export const ASK_IN = 'Sign in to see the numbers of the company that you act for.'
export const NOT_YOURS = 'Only people who act for this company see its dashboard'
export const NO_COMPANY = {
  title: 'You do not act for a company yet',
  text: 'Tell us which company you represent. When that is approved, its numbers are here.',
}
export const FEWER = 'Fewer than five people'
/** Of one thing that ratings hold, where the ratings themselves are told. */
export const NOT_APART =
  'Fewer than five people rated it, or left it out, so it is not shown apart.'
/** Of jobs, where looks, applies and the rest must each be of five people or nobody. */
const NO_INTEREST =
  'Fewer than five people looked, applied, or looked without applying, so there is nothing to show.'
export const NOTHING_TOLD = 'Fewer than five people so far, so there is nothing to show.'
/** Before the first counting: nobody knows yet whether they are five. */
export const NOT_COUNTED =
  'The first numbers come within an hour after somebody acts for the company. This is what will stand here.'
export const COUNTED_SOON = 'Counted within an hour'
export const EXAMPLE = 'Example'
/** Beside a plot of made-up numbers. */
export const EXAMPLE_TEXT = 'These numbers are made up. They show what yours will look like.'

/** What an empty plot says of when it has something to show. */
export const COMING = {
  posts: ({ week }: Comings) =>
    `${NOTHING_TOLD} The week of ${daysText(week)} is counted on ${dayText(week.on)}. A week in which fewer than five people wrote waits, and is counted together with the next.`,
  ratings: ({ month }: Comings) =>
    `${NOTHING_TOLD} The ratings of ${monthsText(month)} are counted on ${dayText(month.on)}. A month in which fewer than five people rated waits, and is counted together with the next.`,
  jobs: ({ week }: Comings) => `${NO_INTEREST} The next count is on ${dayText(week.on)}.`,
} as const
interface Comings {
  week: Days & { on: string }
  month: Days & { on: string }
}

/** Plain words for whoever reads the numbers, and for those whom they are about. */
export const PROTECTION = [
  'Every number is made of at least five people, and so is every difference between two numbers.',
  'Weeks and months are counted once, after they are over. With fewer than five people they wait and are counted together with the next.',
  'A number that was told never changes. What is written, changed or taken back later does not move it, so nobody can watch a single person come or go.',
  'A category is left out where it would tell of fewer than five people who rated it, or who did not.',
  'Followers are told in fives, and only when at least five more or five fewer follow.',
] as const

/** Short names for plots: the full ones are on the company's page. */
export const CATEGORY_NAMES: Record<RatingCategory, string> = {
  rto: 'Return to office',
  dei: 'Inclusion',
  workLife: 'Work-life balance',
  culture: 'Culture',
}
export const CATEGORY_KEYS = RATING_CATEGORIES.map(({ key }) => key)

/** Where a company's dashboard is, as an address. */
export function dashboardAddress(choice: {
  company?: string
  weeks?: string
  category?: string
}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(choice)) if (value) search.set(name, value)
  return search.size > 0 ? `/dashboard?${search}` : '/dashboard'
}

/** The choice in an address; what makes no sense is as if it were not there. */
export function dashboardChoice(search: string) {
  const given = new URLSearchParams(search)
  const weeks = RANGES.find((range) => range === given.get('weeks')) ?? USUAL_RANGE
  const category = CATEGORY_KEYS.find((key) => key === given.get('category'))
  return { company: given.get('company') ?? undefined, weeks, category }
}

const onDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const inMonth = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** "Mar 9, 2026". */
export const dayText = (day: string) => onDay.format(new Date(day))

export interface Days {
  from: string
  to: string
}

/** With the plain spaces that people search for. */
const rangeText = (format: Intl.DateTimeFormat, { from, to }: Days) =>
  format.formatRange(new Date(from), new Date(to)).replace(/\s/g, ' ')

/** "Mar 9 – 15, 2026". */
export const daysText = (days: Days) => rangeText(onDay, days)

/** "Jan – Mar 2026", "Jan 2026". @param days from the first day of a month to the last of one */
export const monthsText = (days: Days) => rangeText(inMonth, days)

/** Both days count. */
export const daysIn = ({ from, to }: Days) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

/** How many a week, over a stretch of whole weeks or about so. */
export const perWeek = ({ from, to, n }: Days & { n: number }) =>
  Math.round((70 * n) / daysIn({ from, to })) / 10

/** "+0.3", "−0.1", "No change". */
export function changeText(change: number): string {
  const rounded = Math.round(change * 10) / 10
  if (rounded === 0) return 'No change'
  return `${rounded > 0 ? '+' : '−'}${Math.abs(rounded).toFixed(1)}`
}
