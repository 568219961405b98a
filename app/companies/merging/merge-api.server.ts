/** Binds the contract of merging. What undoes a merge stands with the entries of histories. */
import type { Handlers } from '#app/api/bind.server.ts'
import type { MergeContract } from './merge.contract.ts'
import { mergeCompany } from './merge-commands.server.ts'
import { mergePreview } from './merge-queries.server.ts'

export const mergeHandlers = (settings: { minShown: number }): Handlers<MergeContract> => ({
  'GET /api/v1/companies/{id}/merge': (ctx, { params, query }) =>
    mergePreview(ctx, { from: params.id, into: query.into }),
  'POST /api/v1/companies/{id}/merge': (ctx, { params, body }) =>
    mergeCompany(ctx, { from: params.id, into: body.into }, settings),
})
