/** Binds the contract of companies to queries, and to the one command that ends them. */
import type { Handlers } from '#app/api/bind.server.ts'
import { type Searches, searchingFreely } from '#app/platform/http/searches.server.ts'
import type { CompanyContract } from './company.contract.ts'
import {
  companyById,
  companyBySlug,
  companyCategories,
  highestRatedCompanies,
  listCompanies,
  recentCompanies,
  trendingCompanies,
} from './company-queries.server.ts'
import { compareCompanies } from './comparison/compare-queries.server.ts'
import { companyBelongings, deleteCompany } from './deletion/company-deletion.server.ts'
import { createSuggestions } from './search/suggestions.server.ts'

export function companyHandlers(
  suggestions = createSuggestions(),
  searches: Searches = searchingFreely,
): Handlers<CompanyContract> {
  return {
    'GET /api/v1/companies': (ctx, { query }) =>
      query.search ? searches.run(ctx, () => listCompanies(ctx, query)) : listCompanies(ctx, query),
    'GET /api/v1/companies/suggest': async (ctx, { query }) => ({
      companies: await suggestions(ctx, query.text),
    }),
    'GET /api/v1/companies/trending': async (ctx, { query }) => ({
      companies: await trendingCompanies(ctx, query.limit),
    }),
    'GET /api/v1/companies/recent': async (ctx, { query }) => ({
      companies: await recentCompanies(ctx, query.limit),
    }),
    'GET /api/v1/companies/highest-rated': async (ctx, { query }) => ({
      companies: await highestRatedCompanies(ctx, query.limit),
    }),
    'GET /api/v1/companies/categories': async (ctx) => ({
      categories: await companyCategories(ctx),
    }),
    'GET /api/v1/companies/compare': (ctx, { query }) => compareCompanies(ctx, query.refs),
    'GET /api/v1/companies/by-slug/{slug}': (ctx, { params }) => companyBySlug(ctx, params.slug),
    'GET /api/v1/companies/{id}': (ctx, { params }) => companyById(ctx, params.id),
    'GET /api/v1/companies/{id}/belongings': (ctx, { params }) => companyBelongings(ctx, params.id),
    'DELETE /api/v1/companies/{id}': (ctx, { params, query }) =>
      deleteCompany(ctx, params.id, query.name),
  }
}
