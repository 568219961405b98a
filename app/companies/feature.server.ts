import type { Feature } from '#app/api/feature.server.ts'
import { HOUR_MS, MINUTE_MS } from '#app/platform/jobs/days.server.ts'
import { companyContract } from './company.contract.ts'
import { companyHandlers } from './company-api.server.ts'
import { onCompanyChange } from './company-events.server.ts'
import { editHandlers } from './edits/edit-api.server.ts'
import { editContract } from './edits/edit-company.contract.ts'
import { forgetEditor } from './edits/edit-departure.server.ts'
import { carriedEdits } from './edits/edit-keys.server.ts'
import { serveLogos } from './logos/logo-api.server.ts'
import { LOGO_FETCH, type LogoFetch } from './logos/logo-commands.server.ts'
import { PORTION_MS, searchMissingLogos } from './logos/logo-search.server.ts'
import { mergeContract } from './merging/merge.contract.ts'
import { mergeHandlers } from './merging/merge-api.server.ts'
import { forgetMerged } from './merging/merge-commands.server.ts'
import { makeMissingKeys } from './search/key-commands.server.ts'
import { createSuggestions } from './search/suggestions.server.ts'

export const companies: Feature = {
  async routes({ http, bind, db, contextOf, searches, ratings, forgetPages }) {
    const suggestions = createSuggestions(searches)
    bind(companyContract, companyHandlers(suggestions, searches))
    bind(editContract, editHandlers(ratings))
    bind(mergeContract, mergeHandlers(ratings))
    await serveLogos(http, db, contextOf)
    db.news.onChange(suggestions.forget)
    await onCompanyChange(db, (path) => {
      suggestions.forget()
      forgetPages(path)
      // Where its slug leads there, too, from where it is sent on.
      forgetPages(`/company${path}`)
    })
  },
  jobs({ jobs, base, searchesLogos }) {
    // A decoder that few processes ever need.
    jobs.handle<LogoFetch>(LOGO_FETCH, async (payload) => {
      const { fetchLogo } = await import('./logos/logo-job.server.ts')
      await fetchLogo(base, payload)
    })
    if (searchesLogos)
      jobs.every('search-missing-logos', PORTION_MS, (db) => searchMissingLogos(base, db))
    jobs.every('make-missing-company-keys', MINUTE_MS, makeMissingKeys)
    jobs.every('forget-merged-companies', HOUR_MS, (db) => forgetMerged(db, base.now()))
  },
  carried: [carriedEdits],
  forget: (person, { base }) => forgetEditor(base, person),
}
