import { RATING_CATEGORIES, type RatingCategory } from '#app/companies/company.ts'

export const RANGES = ['12', '26', '52'] as const
export type Range = (typeof RANGES)[number]
export const RANGE_NAMES: Record<Range, string> = {
  '12': 'Last 12 weeks',
  '26': 'Last 26 weeks',
  '52': 'Last 52 weeks',
}
export const USUAL_RANGE: Range = '26'

export const DASHBOARD = {
  title: 'Dashboard',
  text: 'What people say about your company, in numbers based on at least five people each.',
}
export const ASK_IN = 'Log in to see your company’s numbers.'
export const DASHBOARD_REFUSALS = {
  forbidden: 'Only people who act for this company can see its dashboard',
} as const
export const NO_COMPANY = {
  title: 'You don’t act for a company yet',
  text: 'Tell us which company you represent. Once we approve it, its numbers show up here.',
}
export const FEWER = 'Fewer than five people'
/** Before the first count, no one knows whether there are five. */
export const NOT_COUNTED =
  'Your first numbers arrive within an hour of your approval. Here’s a preview of what you’ll see.'
export const EXAMPLE = 'Example'
export const EXAMPLE_TITLE = 'What your numbers will look like'
export const EXAMPLE_TEXT = 'These numbers are made up.'

interface Comings {
  week: Days & { on: string }
  month: Days & { on: string }
}

/** Names all numbers that we hold back, and says when the next ones come. @param names at least one */
export const withheldSentences = (names: string[], { week, month }: Comings) =>
  [
    `We don’t show ${new Intl.ListFormat('en').format(names)} yet, because the number would be about fewer than five people.`,
    `We count the week of ${daysText(week)} on ${dayText(week.on)}, and the ratings of ${monthsText(month)} on ${dayText(month.on)}.`,
  ].join(' ')

export const PROTECTION = [
  'Every number comes from at least five people, and so does every difference between two numbers.',
  'We count each week and month once, after it ends. With fewer than five people, we add it to the next one.',
  'A number never changes once it’s shown, whatever people post, edit or delete later. So no one can watch a single person come or go.',
  'We leave a category out if fewer than five people rated it, or fewer than five skipped it.',
  'We show followers in fives, and only once at least five more or five fewer follow.',
] as const

/** Short names for plots. The full ones are on the company's page. */
export const CATEGORY_NAMES: Record<RatingCategory, string> = {
  rto: 'Return to office',
  dei: 'Inclusion',
  workLife: 'Work-life balance',
  culture: 'Culture',
}
export const CATEGORY_KEYS = RATING_CATEGORIES.map(({ key }) => key)

export function dashboardAddress(choice: {
  company?: string
  weeks?: string
  category?: string
}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(choice)) if (value) search.set(name, value)
  return search.size > 0 ? `/dashboard?${search}` : '/dashboard'
}

/** The choice in a URL. Ignores anything invalid. */
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

/** Uses plain spaces, because people search for them. */
const rangeText = (format: Intl.DateTimeFormat, { from, to }: Days) =>
  format.formatRange(new Date(from), new Date(to)).replace(/\s/g, ' ')

/** "Mar 9 – 15, 2026". */
export const daysText = (days: Days) => rangeText(onDay, days)

/**
 * "Jan – Mar 2026", "Jan 2026".
 * @param days from a month's first day to a month's last day
 */
export const monthsText = (days: Days) => rangeText(inMonth, days)

/** Inclusive. */
export const daysIn = ({ from, to }: Days) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

/** Weekly average over a span of roughly whole weeks. */
export const perWeek = ({ from, to, n }: Days & { n: number }) =>
  Math.round((70 * n) / daysIn({ from, to })) / 10

/** "+0.3", "−0.1", "No change". */
export function changeText(change: number): string {
  const rounded = Math.round(change * 10) / 10
  if (rounded === 0) return 'No change'
  return `${rounded > 0 ? '+' : '−'}${Math.abs(rounded).toFixed(1)}`
}
