/** The server's results by kind. Outdated requests are aborted. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { FileText, type IconNode } from 'lucide'
import { useApi } from '#app/api/client.ts'
import type { DiscussionContract } from '#app/community/discussions/discussion.contract.ts'
import { threadListQuery, topicsQuery } from '#app/community/discussions/discussion.data.ts'
import type { CompanyContract } from '#app/companies/company.contract.ts'
import { suggestionsQuery } from '#app/companies/company.data.ts'
import { SEARCH_MIN_CHARACTERS, searchedText } from '#app/companies/company.ts'
import { foldedWords } from '#app/companies/search/company-keys.ts'
import { DEBOUNCE_MS } from '#app/companies/ui/suggestions.tsx'
import type { JobContract } from '#app/jobs/job.contract.ts'
import { jobsQuery } from '#app/jobs/job.data.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import type { Session } from '#app/kit/session/session.data.ts'
import { useDebounced } from '#app/kit/ui/use-debounced.ts'
import { EARNINGS_PATH } from '#app/ratings/pay/pay.data.ts'
import { SITE_PAGES } from '../../site-pages.ts'
import { accountEntries, ENTRY_ICONS } from '../../ui/account-entries.ts'
import { type NavigationEntry, navigationEntries } from '../../ui/navigation.ts'

/** Full text search costs more than names, so it waits for a longer pause. */
const TEXTS_DEBOUNCE_MS = 300

/** How many results we show per kind. */
const COMPANIES_SHOWN = 6
const THREADS_SHOWN = 5
const JOBS_SHOWN = 4

/** Words that ask what people earn. */
const PAY_WORDS = 'pay salary salaries wage wages earn earnings compensation income'.split(' ')

/** @param sees the kinds this person may find */
export function useFinderResults(typed: string, sees: Sees) {
  const text = searchedText(typed)
  const soon = useDebounced(text, DEBOUNCE_MS)
  const later = useDebounced(text, TEXTS_DEBOUNCE_MS)
  const isLong = (each: string) => each.length >= SEARCH_MIN_CHARACTERS

  const companies = useQuery({
    ...suggestionsQuery(useApi<CompanyContract>(), soon),
    enabled: sees.companies && isLong(soon),
    placeholderData: keepPreviousData,
  })
  const threads = useInfiniteQuery({
    ...threadListQuery(useApi<DiscussionContract>(), { search: later }),
    enabled: sees.threads && isLong(later),
    placeholderData: keepPreviousData,
  })
  const jobs = useInfiniteQuery({
    ...jobsQuery(useApi<JobContract>(), { search: later }),
    enabled: sees.jobs && isLong(later),
    placeholderData: keepPreviousData,
  })

  const words = foldedWords(text)
  const others = words.filter((word) => !PAY_WORDS.includes(word))
  // The titles and places load with the first such search.
  const pay = useQuery({
    queryKey: ['wanted pay', ...others],
    queryFn: () => import('#app/ratings/pay/wanted-pay.ts').then((it) => it.wantedPay(others)),
    enabled: sees.pay && others.length > 0 && others.length < words.length,
  })

  const topics = useQuery({
    ...topicsQuery(useApi<DiscussionContract>()),
    enabled: sees.threads && isLong(text),
  })

  const matching = isLong(text)
    ? (topics.data ?? []).filter(({ name }) => readsLike(name, text))
    : []
  const found = threads.data?.pages[0]?.threads ?? []
  // A topic's threads don't have to mention its name.
  const topic = useInfiniteQuery({
    ...threadListQuery(useApi<DiscussionContract>(), { topic: matching[0]?.slug }),
    enabled: matching.length > 0 && threads.isSuccess && found.length === 0,
  })
  const ofTopic = matching.length > 0 && found.length === 0 ? topic.data?.pages[0]?.threads : []

  const all = [companies, threads, jobs, topic, pay]
  const isAsked = isLong(text)
  const isOffline = isAsked && all.some(({ fetchStatus }) => fetchStatus === 'paused')
  return {
    companies: shown(isAsked, companies.data?.companies, COMPANIES_SHOWN),
    threads: shown(isAsked, found, THREADS_SHOWN),
    ofTopic: shown(isAsked, ofTopic, THREADS_SHOWN),
    jobs: shown(isAsked, jobs.data?.pages[0]?.jobs, JOBS_SHOWN),
    topics: matching,
    pay: others.length < words.length ? pay.data : undefined,
    isAsked,
    isOffline,
    /** Results may belong to the previous text. */
    isPending:
      isAsked &&
      !isOffline &&
      (text !== soon || text !== later || all.some(({ isFetching }) => isFetching)),
    isError: isAsked && all.some(({ isError }) => isError),
    retry: () => {
      for (const each of all) if (each.isError) each.refetch()
    },
  }
}

const shown = <Found>(isAsked: boolean, found: Found[] | undefined, most: number) =>
  isAsked ? (found ?? []).slice(0, most) : []

export interface Sees {
  companies: boolean
  /** What people earn, which employers may read, too. */
  pay: boolean
  threads: boolean
  jobs: boolean
}
export type FinderResults = ReturnType<typeof useFinderResults>

/** The pages someone may see. Synonyms find them, too. */
interface FinderPage extends NavigationEntry {
  icon: IconNode
  words: string
  /** The person's own pages, offered before anything is typed. */
  isOwn: boolean
}

const OTHER_WORDS: Record<string, string> = {
  '/': 'start',
  '/companies': 'employers list compare',
  [EARNINGS_PATH]: PAY_WORDS.join(' '),
  '/discussions': 'threads talk forum',
  '/jobs': 'work openings positions',
  '/create-thread': 'write post new',
  '/profile': 'account username me',
  '/my-discussions': 'threads comments saved drafts ratings own',
  '/settings': 'account password email sessions keyboard shortcut slash',
  '/settings/account': 'settings data export delete leave',
  '/notifications': 'news bell',
  '/alerts': 'follow mails',
  '/admin-panel': 'administration',
  '/admin/moderation': 'queue reports cases',
  '/admin/settings': 'name texts logo addresses rules sign-up',
  '/admin-tracking': 'analytics clicks views',
  '/admin-tools': 'scraper import',
  '/anonymity': 'privacy secret',
  '/community-rules': 'guidelines allowed forbidden',
  '/how-moderation-decides': 'reports removed appeal',
  '/privacy': 'data cookies policy',
  '/terms': 'rules legal conditions',
  '/about': 'us press contact',
}

export function finderPages(
  site: Pick<SiteConfig, 'flags'>,
  { status, me }: Session,
): FinderPage[] {
  const { enableCompanies, enableDiscussions } = site.flags
  const may = (name: string) => me?.can.includes(name) === true
  const own =
    status === 'signed-in'
      ? accountEntries(site, me)
      : // Visitors can write, too.
        (enableDiscussions && [{ href: '/my-discussions', name: 'My discussions' }]) || []
  const pages = [
    { href: '/', name: 'Home' },
    ...navigationEntries(site, status === 'loading' ? { can: [] } : me),
    enableCompanies && { href: EARNINGS_PATH, name: 'What would I earn?' },
    ...own,
    may('openAdminPanel') && { href: '/admin-panel', name: 'Admin Panel' },
    may('openAdminPanel') && { href: '/admin/settings', name: 'Site settings' },
    may('moderate') && { href: '/admin/moderation', name: 'Moderation' },
    may('openTracking') && { href: '/admin-tracking', name: 'Company Interaction Tracking' },
    may('runAdminTools') && { href: '/admin-tools', name: 'Admin Tools' },
    ...SITE_PAGES,
  ].filter((page) => page !== false)
  return pages.map(({ href, name }) => ({
    href,
    name,
    icon: ENTRY_ICONS[href] ?? FileText,
    words: `${name} ${OTHER_WORDS[href] ?? ''}`,
    isOwn: own.some((page) => page.href === href),
  }))
}

/** Whether each typed word begins a word of `name`. An empty text matches everything. */
export function readsLike(name: string, typed: string): boolean {
  const words = foldedWords(name)
  const wanted = foldedWords(typed)
  // Punctuation alone matches nothing.
  if (wanted.length === 0) return typed.trim() === ''
  return wanted.every((part) => words.some((word) => word.startsWith(part)))
}
