/** Binds the contract of changes to queries and commands; each write is limited first. */
import type { Handlers } from '../../api/bind.server.ts'
import { createRateLimit } from '../../server/rate-limits.server.ts'
import { Refusal } from '../../server/refusal.ts'
import { acceptEdit, declineEdit, editCompany, revertEdit } from './edit-commands.server.ts'
import type { EditContract } from './edit-company.contract.ts'
import { companyEdits, openSuggestions } from './edit-queries.server.ts'
import { requestLogoFetch } from './logo-commands.server.ts'

/** Per person: uses in so many seconds. */
const WRITES = { uses: 30, seconds: 600 }

export function editHandlers(settings: { hasRateLimits: boolean }): Handlers<EditContract> {
  const writes = createRateLimit({ name: 'company-edits', ...WRITES, isOn: settings.hasRateLimits })
  return {
    'GET /api/v1/companies/{id}/edits': (ctx, { params, query }) =>
      companyEdits(ctx, params.id, query.before),
    'POST /api/v1/companies/{id}/edits': async (ctx, { params, body }) => {
      const wait = await writes.use(ctx.actor.authorKey ?? ctx.network)
      if (wait !== undefined)
        throw new Refusal('too-many', `That was often. Please wait ${wait} seconds.`)
      return editCompany(ctx, params.id, body)
    },
    'GET /api/v1/company-edits': (ctx, { query }) => openSuggestions(ctx, query),
    'POST /api/v1/company-edits/{id}/accept': (ctx, { params }) => acceptEdit(ctx, params.id),
    'POST /api/v1/company-edits/{id}/decline': (ctx, { params }) => declineEdit(ctx, params.id),
    'POST /api/v1/company-edits/{id}/revert': (ctx, { params }) => revertEdit(ctx, params.id),
    'POST /api/v1/companies/{id}/logo-fetch': (ctx, { params }) => requestLogoFetch(ctx, params.id),
  }
}
