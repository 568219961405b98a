/** Binds the contract of exports: each feature says what it keeps of the person who asks. */

import { requireAccount } from '#app/api/auth/require.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import { postsExport } from '#app/community/discussions/posts/export-queries.server.ts'
import { claimsExport } from '#app/companies/claims/claim-queries.server.ts'
import { invitationsExport } from '#app/companies/claims/seats/seat-queries.server.ts'
import { followsExport } from '#app/companies/following/follow-queries.server.ts'
import { requestsExport } from '#app/companies/requests/request-queries.server.ts'
import { accountExport } from '#app/identity/accounts/account-queries.server.ts'
import { savedJobsExport } from '#app/jobs/saved/saved-job-queries.server.ts'
import { todayOf } from '#app/platform/jobs/days.server.ts'
import { ratingsExport } from '#app/ratings/rating-export-queries.server.ts'
import type { ExportContract } from './export.contract.ts'

export const exportHandlers = (site: { siteName: string }): Handlers<ExportContract> => ({
  'GET /api/v1/me/export': async (ctx) => ({
    site: site.siteName,
    exportedOn: todayOf(ctx),
    account: await accountExport(ctx, requireAccount(ctx).id),
    posts: {
      ...(await postsExport(ctx)),
      ...(await ratingsExport(ctx)),
      ...(await followsExport(ctx)),
      ...(await requestsExport(ctx)),
      ...(await claimsExport(ctx)),
      companyInvitations: await invitationsExport(ctx),
      ...(await savedJobsExport(ctx)),
    },
  }),
})
