/** Companies. Spec §3, §5, §7.2, §8, §9. Runs in the browser too: no I/O here. */
import { cutText } from '#app/kit/writing/text.ts'
import type { PolicyMode } from './edits/company-policy.ts'

/** Query keys of companies and their ratings, for invalidating them. */
export const COMPANIES_KEY = ['companies'] as const
export const RATINGS_KEY = ['ratings'] as const

export const SEARCH_MIN_CHARACTERS = 2
export const SUGGESTIONS_MAX = 20
/** Longer texts match nothing. We cut them in inputs and addresses, and the API refuses them. */
export const SEARCH_MAX_CHARACTERS = 100

export const TRENDING_DEFAULT = 10
export const RECENT_DEFAULT = 12
export const HIGHEST_RATED_DEFAULT = 12
/** Six rows of three. A card costs the server about 0.05 ms. */
export const COMPANIES_PAGE = 18
export const COMPANIES_PAGE_MAX = 100
export const SIMILAR_COMPANIES = 4
/** How many companies have the Trending badge: one carousel slide. Spec §9. */
export const TRENDING_BADGES = 8

export const COMPANY_REFUSALS = {
  notFound: 'We couldn’t find this company',
  forbiddenToDelete: 'Only an administrator can delete a company',
  noIdentifier: 'Company identifier is required',
} as const

export const RATING_CATEGORIES = [
  { key: 'rto', name: 'Return-to-Office (RTO) Policy' },
  { key: 'dei', name: 'Diversity, Equity, and Inclusion (DEI)' },
  { key: 'workLife', name: 'Work-Life Balance' },
  { key: 'culture', name: 'Company Culture' },
] as const
export type RatingCategory = (typeof RATING_CATEGORIES)[number]['key']

/** A breakdown needs this many raters, and as many outside of it. */
export const BREAKDOWN_MIN = 5

export const COMPANY_SORTS = [
  'best-match',
  'trending',
  'newest',
  'highest-rated',
  'most-discussed',
  'a-z',
] as const
export type CompanySort = (typeof COMPANY_SORTS)[number]
/** @param defaultSort the order without a search: the page's, or the API's, which is `newest`. Spec §7.2 */
export const companySort = (
  { search, sort = 'best-match' }: { search?: string; sort?: CompanySort },
  defaultSort: CompanySort = 'trending',
) => (sort === 'best-match' && !search ? defaultSort : sort)

export interface CompanyFilters {
  category?: string
  rated?: 'yes'
  discussed?: 'yes'
  policy?: PolicyMode
  /** ISO 3166-1, two letters. */
  country?: string
}

/** The searchable part of any text. */
export const searchedText = (text: string) =>
  cutText(
    text
      // Names have no control characters. A NUL stays, because it's refused everywhere.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is meant
      .replace(/[\u0001-\u001f\u007f]+/g, ' ')
      .trim(),
    SEARCH_MAX_CHARACTERS,
  ).trim()

/** Names the company by slug, or by id if it has none. Spec §2.6. */
export const companyPath = (company: { id: string; slug: string | null }) =>
  company.slug ? `/${encodeURIComponent(company.slug)}` : `/company/${company.id}`

/** Where the tabs of its page begin, as an anchor. first-script.js knows it too. */
export const TABS_ID = 'tabs'

/** The page of a company's room. @param path the company's own */
export const roomPathOf = (path: string) => `/${path.split('/').at(-1)}/room`

/**
 * First segments of the site's paths. If a company's name is one of these, its slug gets `-company` (S13). A test
 * compares the routes.
 */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'about',
  'about-us',
  'admin',
  'admin-panel',
  'admin-tools',
  'admin-tracking',
  'alerts',
  'anonymity',
  'api',
  'assets',
  'auth',
  'build-info',
  'companies',
  'community-rules',
  'company',
  'create-thread',
  'dashboard',
  'delete-post',
  'discussions',
  'edit-company',
  'edit-thread',
  'favicon',
  'feeds',
  'functions',
  'gallery',
  'healthz',
  'how-moderation-decides',
  'jobs',
  'logos',
  'metrics',
  'my-discussions',
  'notifications',
  'post-job',
  'privacy',
  'privacy-policy',
  'profile',
  'readyz',
  'reset-password',
  'robots',
  'settings',
  'sign-up',
  'sitemap',
  'terms',
  'terms-of-service',
  'theme',
  'thread',
  'unsubscribe',
  'claims',
])

/** Named by its content, so caches can keep it forever. */
export const logoPath = (companyId: string, hash: string) => `/logos/${companyId}-${hash}.webp`

/* Comparing companies, and the comparison's address. */

export const COMPARED_MIN = 2
export const COMPARED_MAX = 4

/** Query parameters: the companies compared, and those picked so far. */
export const COMPARE_PARAM = 'compare'
export const PICK_PARAM = 'pick'

/** Company ids in a text, without duplicates and within the limit. */
export const referencesIn = (text: string | null | undefined): string[] =>
  [
    ...new Set(
      (text ?? '')
        .split(',')
        .map((it) => it.trim().toLowerCase())
        .filter(Boolean),
    ),
  ].slice(0, COMPARED_MAX)

export const referenceOf = ({ id, slug }: { id: string; slug: string | null }) => slug ?? id

/** "/companies?compare=acme,brine-ferries", with readable commas. */
export const comparePath = (references: string[]) =>
  `/companies?${COMPARE_PARAM}=${references.map(encodeURIComponent).join(',')}`

export const toggled = (picked: string[], reference: string): string[] =>
  picked.includes(reference)
    ? picked.filter((it) => it !== reference)
    : [...picked, reference].slice(0, COMPARED_MAX)
