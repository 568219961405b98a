/** Binds the contract of one's own on a page: each feature answers as it does when it is asked alone. */

import { may } from '#app/api/auth/permissions.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import { myThread } from '#app/community/discussions/threads/thread-queries.server.ts'
import { whoIsAsking } from '#app/identity/accounts/account-api.server.ts'
import type { SiteConfig } from '#app/kit/session/site.contract.ts'
import {
  newsSettingsOf,
  unreadCount,
} from '#app/moderation/notifications/notification-queries.server.ts'
import { waitingFor } from '#app/office/administration/waiting-queries.server.ts'
import type { MyPageContract } from './my-page.contract.ts'

export const myPageHandlers = (flags: SiteConfig['flags']): Handlers<MyPageContract> => ({
  'GET /api/v1/my-page': async (ctx, { query: { thread: id } }) => {
    // One after the other, on one connection: three at once would cost more and hardly be sooner.
    const me = await whoIsAsking(ctx)
    const news = flags.enableNotifications && (await unreadCount(ctx, newsSettingsOf(flags)))
    const thread =
      id !== undefined && flags.enableDiscussions
        ? await unlessRefused(myThread(ctx, id))
        : undefined
    const waiting = may.moderate(ctx.actor) ? await waitingFor(ctx, ctx.actor) : undefined
    return { me, waiting, unread: news ? news.unread : undefined, thread }
  },
})

/** Who asks for it alone is told why. */
const unlessRefused = <Part>(part: Promise<Part>) =>
  part.catch((error: Error) => {
    if (error.name !== 'Refusal') throw error
    return undefined
  })
