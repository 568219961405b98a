/** Binds the contract of changes to queries and commands. */
import type { Handlers } from '#app/api/bind.server.ts'
import { requestLogoFetch } from '../logos/logo-commands.server.ts'
import { mergeOfEdit, undoMerge } from '../merging/merge-commands.server.ts'
import { acceptEdit, declineEdit, editCompany, revertEdit } from './edit-commands.server.ts'
import type { EditContract } from './edit-company.contract.ts'
import { companyEdits, openSuggestions } from './edit-queries.server.ts'

export const editHandlers = (settings: { minShown: number }): Handlers<EditContract> => ({
  'GET /api/v1/companies/{id}/edits': (ctx, { params, query }) =>
    companyEdits(ctx, params.id, query.before),
  'POST /api/v1/companies/{id}/edits': (ctx, { params, body }) => editCompany(ctx, params.id, body),
  'GET /api/v1/company-edits': (ctx, { query }) => openSuggestions(ctx, query),
  'POST /api/v1/company-edits/{id}/accept': (ctx, { params }) => acceptEdit(ctx, params.id),
  'POST /api/v1/company-edits/{id}/decline': (ctx, { params }) => declineEdit(ctx, params.id),
  'POST /api/v1/company-edits/{id}/revert': async (ctx, { params }) =>
    (await mergeOfEdit(ctx.db, params.id))
      ? undoMerge(ctx, params.id, settings)
      : revertEdit(ctx, params.id),
  'POST /api/v1/companies/{id}/logo-fetch': (ctx, { params }) => requestLogoFetch(ctx, params.id),
})
