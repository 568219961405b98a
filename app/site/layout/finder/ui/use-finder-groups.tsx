/** The finder's rows: the server's results, pages and actions. */
import {
  ArrowRight,
  Banknote,
  BriefcaseBusiness,
  FilePlus2,
  History,
  type IconNode,
  LogIn,
  MessageSquarePlus,
  MessagesSquare,
  Moon,
  Star,
  Sun,
  Tag,
  UserRoundPlus,
} from 'lucide'
import type { ReactNode } from 'react'
import type { ThreadRow } from '#app/community/discussions/discussion.contract.ts'
import { planTitle, threadListHref } from '#app/community/discussions/discussion.data.ts'
import { Found } from '#app/community/discussions/search/ui/found.tsx'
import { companyPath } from '#app/companies/company.ts'
import { isInName } from '#app/companies/search/company-match.ts'
import { suggestionRow } from '#app/companies/ui/suggestions.tsx'
import { salaryText } from '#app/jobs/job-text.ts'
import { jobListHref } from '#app/jobs/search/job-list-address.ts'
import { type AuthRequest, askToSignIn, maySee, useSession } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { useTheme } from '#app/kit/ui/theme.ts'
import { earningsHref } from '#app/ratings/pay/pay.data.ts'
import { searchAddress } from '../../../company-page/ui/company-search.tsx'
import {
  type FinderResults,
  finderPages,
  readsLike,
  type Sees,
  useFinderResults,
} from './finder-results.ts'

/** Spec §6 hides company search and discussions from employers. */
function useSees(): Sees {
  const { flags } = useSite()
  const { status, me } = useSession()
  // While the session loads, show only what everyone may see.
  const may = (what: Parameters<typeof maySee>[0]) => status !== 'loading' && maySee(what, me)
  return {
    companies: flags.enableCompanies && may('seeCompanySearch'),
    pay: flags.enableCompanies,
    threads: flags.enableDiscussions && may('seeDiscussionsLink'),
    jobs: flags.enableJobs,
  }
}

/** @param recent shown while nothing is typed, along with your own pages */
export function useFinderGroups({ typed, recent, onType, onRequest }: FinderInput) {
  const text = typed.trim()
  const sees = useSees()
  const results = useFinderResults(typed, sees)
  const pages = finderPages(useSite(), useSession())
  const actions = useActions({ text, sees, results, onRequest })
  const groups: FinderGroup[] = [
    {
      name: 'Recent searches',
      options: (text === '' ? recent : []).map((each) => ({
        key: `recent-${each}`,
        row: <FinderRow icon={History}>{each}</FinderRow>,
        act: () => onType(each),
        staysOpen: true,
      })),
    },
    {
      name: 'Pay',
      options: results.pay
        ? [
            {
              key: 'pay',
              row: (
                <FinderRow icon={Banknote}>{`${results.pay.name}: what would I earn?`}</FinderRow>
              ),
              href: earningsHref(results.pay.title, results.pay.area),
            },
          ]
        : [],
    },
    {
      name: 'Companies',
      options: withRest(
        results.companies.map((company) => ({
          key: company.id,
          row: suggestionRow(company),
          href: companyPath(company),
        })),
        { key: 'companies', name: `All companies for “${text}”`, href: searchAddress(text) },
      ),
    },
    {
      name: 'Topics',
      options: results.topics.map(({ slug, name }) => ({
        key: `topic-${slug}`,
        row: <FinderRow icon={Tag}>{name}</FinderRow>,
        href: threadListHref({ topic: slug }),
      })),
    },
    {
      name: 'Pages',
      options: pages
        .filter(({ words, isOwn }) => (text === '' ? isOwn : readsLike(words, text)))
        .map(({ href, name, icon }) => ({
          key: href,
          row: <FinderRow icon={icon}>{name}</FinderRow>,
          href,
        })),
    },
    {
      name: 'Discussions',
      options: [
        ...withRest(results.threads.map(threadOption), {
          key: 'threads',
          name: `All discussions for “${text}”`,
          href: threadListHref({ search: text }),
        }),
        ...results.ofTopic.map(threadOption),
      ],
    },
    {
      name: 'Jobs',
      options: withRest(
        results.jobs.map(({ id, path, title, company, salary }) => ({
          key: id,
          row: (
            <FinderRow icon={BriefcaseBusiness} note={`${company.name} · ${salaryText(salary)}`}>
              {title}
            </FinderRow>
          ),
          href: path,
        })),
        { key: 'jobs', name: `All jobs for “${text}”`, href: jobListHref({ search: text }) },
      ),
    },
    { name: 'Actions', options: actions },
  ]
  return { ...results, groups: groups.filter(({ options }) => options.length > 0) }
}

const threadOption = ({ id, path, title, match, company, comments }: ThreadRow): FinderOption => ({
  key: id,
  row: (
    <FinderRow
      icon={MessagesSquare}
      note={[company?.name, plural(comments, 'comment')].filter(Boolean).join(' · ')}
    >
      {match ? <Found pieces={match.title} /> : title}
    </FinderRow>
  ),
  href: path,
})

interface FinderInput {
  typed: string
  recent: string[]
  onType: (text: string) => void
  onRequest: (companyName: string) => void
}

function withRest(found: FinderOption[], rest: { key: string; name: string; href: string }) {
  if (found.length === 0) return []
  const { key, name, href } = rest
  return [...found, { key, row: <FinderRow icon={ArrowRight}>{name}</FinderRow>, href }]
}

function useActions({ text, sees, results, onRequest }: ActionsInput): FinderOption[] {
  const { flags } = useSite()
  const { status } = useSession()
  const { path, search } = useAddress()
  const { theme, setTheme } = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  const signIn = (view: AuthRequest['view']) => () =>
    askToSignIn({ view, redirect: search ? `${path}?${search}` : path })

  // Actions for a company whose name someone typed.
  const [best] = results.companies
  const company = best && isInName(best.match) ? best : undefined
  const about: Action[] = company
    ? [
        sees.threads && {
          name: `Create a thread about ${company.name}`,
          icon: MessageSquarePlus,
          href: `/create-thread?company=${company.id}`,
        },
        {
          name: `Rate ${company.name}`,
          icon: Star,
          href: `${companyPath(company)}?tab=ratings&rate=yes`,
        },
      ].filter((action) => action !== false)
    : sees.threads && results.isAsked
      ? [
          {
            name: `Start a thread about “${text}”`,
            icon: MessageSquarePlus,
            href: '/create-thread',
            act: () => planTitle(text),
          },
        ]
      : []
  const always: (Action & { words?: string })[] = [
    sees.threads && {
      name: 'Create thread',
      words: 'write post new discussion start',
      icon: MessageSquarePlus,
      href: '/create-thread',
    },
    status === 'signed-out' && { name: 'Log in', words: 'sign', icon: LogIn, act: signIn('login') },
    status === 'signed-out' && {
      name: 'Sign up',
      words: 'register account create',
      icon: UserRoundPlus,
      act: signIn('signup'),
    },
    {
      name: `Switch to ${other} mode`,
      words: 'theme colors colours night day',
      icon: other === 'dark' ? Moon : Sun,
      act: () => setTheme(other),
    },
  ].filter((action) => action !== false)
  // Only if the text could be a company's name and nothing else was found.
  const isMissing =
    results.isAsked &&
    !results.isPending &&
    !results.isError &&
    !results.isOffline &&
    !results.pay &&
    [results.companies, results.threads, results.jobs, results.topics].every(
      (found) => found.length === 0,
    )
  const requested: Action[] =
    flags.enableCompanies && isMissing && isLikeAName(text)
      ? [
          {
            name: `Request “${text}” as a company`,
            icon: FilePlus2,
            act: () => onRequest(text),
          },
        ]
      : []
  const matching =
    text === '' ? [] : always.filter(({ name, words = '' }) => readsLike(`${name} ${words}`, text))
  return [...about, ...matching, ...requested].map(({ name, icon, href, act }) => ({
    key: name,
    row: <FinderRow icon={icon}>{name}</FinderRow>,
    href,
    act,
  }))
}

const NAME_WORDS_MAX = 5
const isLikeAName = (text: string) =>
  /[\p{L}\p{N}]/u.test(text) && !/[?"]/.test(text) && text.split(/\s+/).length <= NAME_WORDS_MAX

interface Action {
  name: string
  icon: typeof Moon
  href?: string
  act?: () => void
}

interface ActionsInput {
  text: string
  sees: Sees
  results: FinderResults
  onRequest: (companyName: string) => void
}

export interface FinderOption {
  key: string
  row: ReactNode
  href?: string
  /** Runs before `href` is opened. */
  act?: () => void
  /** Fills the box instead of closing the finder. */
  staysOpen?: boolean
}

interface FinderGroup {
  name: string
  options: FinderOption[]
}

const FinderRow = ({ icon, children, note }: FinderRowProps) => (
  <>
    <span className="flex size-8 shrink-0 items-center justify-center rounded-md bg-sunken text-ink-soft">
      <Icon of={icon} className="size-4" strokeWidth={1.75} />
    </span>
    <span className="min-w-0 flex-1">
      <span dir="auto" className="line-clamp-2 text-ink">
        {children}
      </span>
      {note && (
        <span dir="auto" className="block truncate text-xs text-ink-faint">
          {note}
        </span>
      )}
    </span>
  </>
)

interface FinderRowProps {
  icon: IconNode
  children: ReactNode
  note?: ReactNode
}
