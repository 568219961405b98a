import { may } from '#app/api/auth/permissions.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { postsExport } from '#app/community/discussions/posts/export-queries.server.ts'
import { myThread } from '#app/community/discussions/threads/thread-queries.server.ts'
import { claimsExport } from '#app/companies/claims/claim-queries.server.ts'
import { invitationsExport } from '#app/companies/claims/seats/seat-queries.server.ts'
import { followsExport } from '#app/companies/following/follow-queries.server.ts'
import { requestsExport } from '#app/companies/requests/request-queries.server.ts'
import { accountExport } from '#app/identity/accounts/account-queries.server.ts'
import { loadMe } from '#app/identity/accounts/feature.server.ts'
import { feedsExport } from '#app/jobs/feeds/feed-queries.server.ts'
import { savedJobsExport } from '#app/jobs/saved/saved-jobs.server.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import {
  notificationSettingsOf,
  unreadCount,
} from '#app/moderation/notifications/notification-queries.server.ts'
import { waitingFor } from '#app/office/administration/waiting.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { isRefusal } from '#app/platform/http/refusal.ts'
import { ratingsExport } from '#app/ratings/rating-queries.server.ts'
import {
  type ExportContract,
  exportContract,
  type MyPageContract,
  myPageContract,
} from './account-pages.contract.ts'

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
      ...(await feedsExport(ctx)),
    },
  }),
})

export const myPageHandlers = (flags: SiteConfig['flags']): Handlers<MyPageContract> => ({
  'GET /api/v1/my-page': async (ctx, { query: { thread: id } }) => {
    // One after the other, on one connection: three at once would cost more and hardly be faster.
    const me = await loadMe(ctx)
    const news =
      flags.enableNotifications && (await unreadCount(ctx, notificationSettingsOf(flags)))
    const thread =
      id !== undefined && flags.enableDiscussions
        ? await unlessRefused(myThread(ctx, id))
        : undefined
    const waiting = may.moderate(ctx.actor) ? await waitingFor(ctx, ctx.actor, flags) : undefined
    return { me, waiting, unread: news ? news.unread : undefined, thread }
  },
})

/** A refused part is left out. Its own endpoint gives the reason. */
const unlessRefused = <Part>(part: Promise<Part>) =>
  part.catch((error: unknown) => {
    if (!isRefusal(error)) throw error
    return undefined
  })

export const accountPages: Feature = {
  routes({ bind, config }) {
    bind(exportContract, exportHandlers(config))
    bind(myPageContract, myPageHandlers(config.flags))
  },
}
