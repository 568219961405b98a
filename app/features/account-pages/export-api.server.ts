/** Binds the contract of exports: each feature says what it keeps of the person who asks. */
import type { Handlers } from '../../api/bind.server.ts'
import { requireAccount } from '../../auth/require.server.ts'
import { todayOf } from '../../server/days.server.ts'
import { accountExport } from '../accounts/account-queries.server.ts'
import { claimsExport } from '../claims/claim-queries.server.ts'
import { invitationsExport } from '../claims/seats/seat-queries.server.ts'
import { postsExport } from '../discussions/posts/export-queries.server.ts'
import { followsExport } from '../following/follow-queries.server.ts'
import { savedJobsExport } from '../jobs/saved/saved-job-queries.server.ts'
import { ratingsExport } from '../ratings/rating-export-queries.server.ts'
import { requestsExport } from '../requests/request-queries.server.ts'
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
