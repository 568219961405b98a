import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { After, LookupText, Uuid, WrittenText } from '#app/api/schemas.ts'
import { COUNTRY_CODES } from '#app/kit/writing/countries.ts'
import {
  COMPANIES_PAGE,
  COMPANIES_PAGE_MAX,
  COMPANY_REFUSALS,
  COMPANY_SORTS,
  COMPARED_MAX,
  HIGHEST_RATED_DEFAULT,
  RECENT_DEFAULT,
  SEARCH_MAX_CHARACTERS,
  TRENDING_DEFAULT,
} from './company.ts'
import { TYPED_NAME_MAX } from './deletion/company-deletion.ts'
import { CATEGORY_MAX } from './edits/company-edit.ts'
import {
  ALIAS_MAX,
  ALIASES_MAX,
  COMPANY_SIZES,
  HEADQUARTERS_MAX,
  LEGAL_FORM_MAX,
  TICKER_MAX,
} from './edits/company-facts.ts'
import { POLICY_MODES } from './edits/company-policy.ts'

const count = z.number().int().nonnegative()

/** A company in a list. `rating` is null without ratings. */
export const CompanyView = z.object({
  id: Uuid,
  slug: z.string().nullable(),
  name: z.string(),
  category: z.string(),
  description: z.string().nullable(),
  logoUrl: z.string().nullable(),
  demo: z.boolean().describe('A made-up company'),
  rating: z.number().nullable(),
  threadCount: count,
  commentCount: count,
  recentCommentCount: count,
  trending: z.boolean(),
})
export type CompanyView = z.output<typeof CompanyView>

const CategoryRatings = z.object({
  rto: z.number().nullable(),
  dei: z.number().nullable(),
  workLife: z.number().nullable(),
  culture: z.number().nullable(),
})

const PolicyView = z.object({
  mode: z.enum(POLICY_MODES),
  days: z.number().int().nullable().describe('Days a week in the office, null if unknown'),
  since: z.string().nullable().describe('A month, such as 2026-03'),
  source: z.string().nullable().describe('Where the company says so'),
})

/** Facts, as people send them. */
export const GIVEN_FACTS = {
  aliases: z.array(WrittenText(ALIAS_MAX)).max(ALIASES_MAX),
  headquarters: WrittenText(HEADQUARTERS_MAX).nullable(),
  country: z.enum(COUNTRY_CODES).nullable(),
  size: z.enum(COMPANY_SIZES).nullable(),
  founded: z.int().nullable(),
  ticker: WrittenText(TICKER_MAX).nullable(),
  legalForm: WrittenText(LEGAL_FORM_MAX).nullable(),
}

const CompanyFactsView = z.object({
  aliases: z.array(z.string()).describe('Other names people know it by'),
  headquarters: z.string().nullable(),
  country: z.string().nullable().describe('Country code of the headquarters'),
  size: z.enum(COMPANY_SIZES).nullable().describe('Number of employees'),
  founded: z.int().nullable().describe('A year'),
  ticker: z.string().nullable(),
  legalForm: z.string().nullable().describe('Such as GmbH, Inc. or plc'),
})

const OfficeDaysView = z
  .object({ mean: z.number(), ratings: count })
  .nullable()
  .describe('What raters report. Null until enough do')

const PayRangeView = z
  .object({ year: z.number().int(), currency: z.string(), from: z.number(), to: z.number() })
  .nullable()
  .describe('What half of the people there earn in a year, all together. Null until it’s public')

/** A company on its own page. Category ratings are null without ratings. */
export const CompanyPageView = CompanyView.extend({
  ...CompanyFactsView.shape,
  website: z.string().nullable(),
  createdAt: z.iso.datetime(),
  similar: z
    .array(CompanyView)
    .describe(
      'Other companies in its category, most discussed first. For a made-up company, other made-up ones',
    ),
  ratings: count.describe('Number of ratings'),
  categoryRatings: CategoryRatings,
  policy: PolicyView.nullable().describe('Its current policy on office days'),
  policyHistory: z.array(PolicyView).describe('All its policies, newest first'),
  officeDays: OfficeDaysView,
  pay: PayRangeView,
})
export type CompanyPageView = z.output<typeof CompanyPageView>

const ComparedCompany = CompanyView.extend({
  ...CompanyFactsView.shape,
  ratings: count,
  categoryRatings: CategoryRatings,
  policy: PolicyView.nullable(),
  officeDays: OfficeDaysView,
})
export type ComparedCompany = z.output<typeof ComparedCompany>

const CompanyMatch = z.object({
  in: z.enum(['name', 'alias', 'category', 'description', 'slip']),
  marks: z.array(z.string()).describe('The matching text, without punctuation, spaces or accents'),
  text: z.string().nullable().describe('The other name, or an excerpt of the description'),
})

/** A company in a searched list. `match` is null without a search. */
const ListedCompany = CompanyView.extend({ match: CompanyMatch.nullable() })

export const CompanySuggestion = CompanyView.pick({
  id: true,
  slug: true,
  name: true,
  category: true,
  logoUrl: true,
  demo: true,
  rating: true,
}).extend({ match: CompanyMatch })
export type CompanySuggestion = z.output<typeof CompanySuggestion>

const searchText = LookupText(
  SEARCH_MAX_CHARACTERS,
  `A search can have at most ${SEARCH_MAX_CHARACTERS} characters`,
)
  // PostgreSQL can't store a NUL, and names have no control characters.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'A search can’t contain control characters')
  .trim()

const limit = (byDefault: number) =>
  z.coerce.number().int().min(1).max(COMPANIES_PAGE_MAX).default(byDefault)

const companies = z.object({ companies: z.array(CompanyView) })
const CompanyId = z.object({ id: Uuid })
const Belongings = z.object({ threads: count, comments: count, ratings: count, jobs: count })

export const companyContract = {
  'GET /api/v1/companies': {
    summary: 'Search, filter and sort companies, one page at a time',
    query: After.extend({
      search: searchText.optional(),
      category: LookupText(CATEGORY_MAX).optional(),
      rated: z.literal('yes').optional().describe('Only with published ratings'),
      discussed: z.literal('yes').optional().describe('Only with discussions'),
      policy: z.enum(POLICY_MODES).optional().describe('Only with this office policy'),
      country: z
        .string()
        .regex(/^[A-Z]{2}$/)
        .optional()
        .describe('Country of the headquarters'),
      sort: z
        .enum(COMPANY_SORTS)
        .optional()
        .describe(
          'Default: best-match for a search, otherwise newest. The site’s own page uses trending',
        ),
      limit: limit(COMPANIES_PAGE),
    }),
    ok: z.object({
      companies: z.array(ListedCompany),
      next: z.string().nullable().describe('Pass it as `after` for the next page'),
      total: count,
      totalIsExact: z.boolean().describe('False if we stopped counting early'),
    }),
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'list',
  },
  'GET /api/v1/companies/suggest': {
    summary: 'Suggestions while you type, best match first',
    query: z.object({ text: searchText }),
    ok: z.object({ companies: z.array(CompanySuggestion) }),
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'catalog',
  },
  'GET /api/v1/companies/trending': {
    summary: 'The most viewed companies',
    query: z.object({ limit: limit(TRENDING_DEFAULT) }),
    ok: companies,
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'list',
  },
  'GET /api/v1/companies/recent': {
    summary: 'The newest companies',
    query: z.object({ limit: limit(RECENT_DEFAULT) }),
    ok: companies,
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'list',
  },
  'GET /api/v1/companies/highest-rated': {
    summary: 'Rated companies, best first',
    query: z.object({ limit: limit(HIGHEST_RATED_DEFAULT) }),
    ok: companies,
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'list',
  },
  'GET /api/v1/companies/categories': {
    summary: 'All categories, with how many companies each has',
    ok: z.object({
      categories: z.array(z.object({ name: z.string(), companies: count })),
    }),
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'catalog',
  },
  'GET /api/v1/companies/compare': {
    summary: `Up to ${COMPARED_MAX} companies side by side, in the requested order`,
    query: z.object({
      refs: LookupText(900).describe('Slugs or ids, separated by commas'),
    }),
    ok: z.object({
      companies: z.array(ComparedCompany),
      unknown: z.array(z.string()).describe('References that don’t match any company'),
    }),
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'entry',
  },
  'GET /api/v1/companies/by-slug/{slug}': {
    summary: 'A company by its slug, a former slug, or its name with hyphens for spaces',
    params: z.object({
      slug: LookupText(200).min(1),
    }),
    ok: CompanyPageView,
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'entry',
  },
  'GET /api/v1/companies/{id}': {
    summary: 'A company by its id',
    params: CompanyId,
    ok: CompanyPageView,
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'entry',
  },
  'GET /api/v1/companies/{id}/belongings': {
    summary: 'What would be deleted along with a company. For administrators',
    params: CompanyId,
    ok: Belongings,
    flag: 'enableCompanies',
    access: 'admin',
    refusal: { forbidden: COMPANY_REFUSALS.forbiddenToDelete },
  },
  'DELETE /api/v1/companies/{id}': {
    summary: 'Delete a company and everything said about it. For administrators',
    params: CompanyId,
    query: z.object({
      name: LookupText(TYPED_NAME_MAX).describe('Its name, typed to confirm'),
    }),
    ok: Belongings.describe('What was deleted with it'),
    flag: 'enableCompanies',
    access: 'admin',
    requiresRecentLogin: true,
    refusal: { forbidden: COMPANY_REFUSALS.forbiddenToDelete },
  },
} satisfies Contract

export type CompanyContract = typeof companyContract
