import type { Handlers } from '#app/api/bind.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { HOUR_MS, MINUTE_MS } from '#app/platform/days.server.ts'
import type { Searches } from '#app/platform/http/searches.server.ts'
import { type CompanyContract, companyContract } from './company.contract.ts'
import { onCompanyChange } from './company-changes.server.ts'
import {
  companyById,
  companyBySlug,
  companyCategories,
  compareCompanies,
  highestRatedCompanies,
  listCompanies,
  recentCompanies,
  trendingCompanies,
} from './company-queries.server.ts'
import { companyBelongings, deleteCompany } from './deletion/company-deletion.server.ts'
import { acceptEdit, declineEdit, editCompany, forgetEditor } from './edits/edit-commands.server.ts'
import { type EditContract, editContract } from './edits/edit-company.contract.ts'
import { companyEdits, openSuggestions } from './edits/edit-queries.server.ts'
import { serveLogos } from './logos/logo-api.server.ts'
import {
  LOGO_FETCH_TASK,
  PORTION_MS,
  requestLogoFetch,
  searchMissingLogos,
} from './logos/logo-commands.server.ts'
import { type MergeContract, mergeContract } from './merging/merge.contract.ts'
import { forgetMerged, mergeCompany, revertEditOrMerge } from './merging/merge-commands.server.ts'
import { mergePreview } from './merging/merge-queries.server.ts'
import { suggestCompanies } from './search/company-search.server.ts'
import { makeMissingKeys } from './search/key-commands.server.ts'

export function companyHandlers(searches: Searches): Handlers<CompanyContract> {
  return {
    'GET /api/v1/companies': (ctx, { query }) =>
      query.search ? searches.run(ctx, () => listCompanies(ctx, query)) : listCompanies(ctx, query),
    'GET /api/v1/companies/suggest': async (ctx, { query }) => ({
      companies: await searches.run(ctx, () => suggestCompanies(ctx, query.text)),
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

const editHandlers = (hasLogoSearch: boolean): Handlers<EditContract> => ({
  'GET /api/v1/companies/{id}/edits': (ctx, { params, query }) =>
    companyEdits(ctx, params.id, query.before),
  'POST /api/v1/companies/{id}/edits': (ctx, { params, body }) => editCompany(ctx, params.id, body),
  'GET /api/v1/company-edits': (ctx, { query }) => openSuggestions(ctx, query),
  'POST /api/v1/company-edits/{id}/accept': (ctx, { params }) => acceptEdit(ctx, params.id),
  'POST /api/v1/company-edits/{id}/decline': (ctx, { params }) => declineEdit(ctx, params.id),
  'POST /api/v1/company-edits/{id}/revert': (ctx, { params }) => revertEditOrMerge(ctx, params.id),
  'POST /api/v1/companies/{id}/logo-fetch': (ctx, { params }) =>
    requestLogoFetch(ctx, params.id, hasLogoSearch),
})

const mergeHandlers: Handlers<MergeContract> = {
  'GET /api/v1/companies/{id}/merge': (ctx, { params, query }) =>
    mergePreview(ctx, { from: params.id, into: query.into }),
  'POST /api/v1/companies/{id}/merge': (ctx, { params, body }) =>
    mergeCompany(ctx, { from: params.id, into: body.into }),
}

export const companies: Feature = {
  async routes({ http, bind, db, contextOf, config, searches, forgetPages }) {
    bind(companyContract, companyHandlers(searches))
    bind(editContract, editHandlers(config.hasLogoSearch))
    bind(mergeContract, mergeHandlers)
    await serveLogos(http, db, contextOf)
    await onCompanyChange(db, (path) => {
      forgetPages(path)
      // Including the address that redirects to the slug.
      forgetPages(`/company${path}`)
    })
  },
  tasks({ queue, base, config }) {
    // Imported lazily, because few processes ever need the decoder.
    queue.handle(LOGO_FETCH_TASK, async (payload) => {
      if (!config.hasLogoSearch) return
      const { fetchLogo } = await import('./logos/logo-task.server.ts')
      await fetchLogo(base, payload)
    })
    if (config.hasLogoSearch)
      queue.every('search-missing-logos', PORTION_MS, (db) => searchMissingLogos(base, db))
    queue.every('make-missing-company-keys', MINUTE_MS, makeMissingKeys)
    queue.every('forget-merged-companies', HOUR_MS, (db) => forgetMerged(db, base.now()))
  },
  forget: (person, { base }) => forgetEditor(base, person),
}
