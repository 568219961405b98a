/**
 * Commands and queries without the parts a test usually isn't about: no limits for visitors, no badges, all
 * notifications.
 */
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import * as comments from '#app/community/discussions/comments/comment-commands.server.ts'
import * as threads from '#app/community/discussions/threads/thread-commands.server.ts'
import type { Vote } from '#app/community/discussions/votes/vote.ts'
import * as votes from '#app/community/discussions/votes/vote-commands.server.ts'
import type { UntrustedLimits } from '#app/community/discussions/votes/vote-rules.server.ts'
import type { JobInput } from '#app/jobs/job.ts'
import * as digests from '#app/moderation/notifications/digest.server.ts'
import * as marks from '#app/moderation/notifications/notification-commands.server.ts'
import * as news from '#app/moderation/notifications/notification-queries.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import type { Searches } from '#app/platform/http/searches.server.ts'

/** Accepts no badge. */
export const noBadges: Pick<Issuer, 'verify'> = { verify: async () => undefined }

export const unlimited: UntrustedLimits = {
  requireCapacity: async () => {},
  isSurge: async () => false,
}

export const searchingFreely: Searches = { run: (_who, search) => search() }

export const ALL_NOTIFICATIONS: news.NotificationSettings = {
  hasJobs: true,
  hasDiscussions: true,
  hasCompanies: true,
}

/** A thread to start, if its text doesn't matter. */
export const aThread = (over: Partial<threads.NewThread> = {}): threads.NewThread => ({
  title: 'Is it true about the Thursdays?',
  body: 'They say nobody comes in.',
  topics: [],
  name: 'pseudonym',
  idempotencyKey: crypto.randomUUID(),
  ...over,
})

/** A job to post, if what it says doesn't matter. */
export const aJob = (over: Partial<JobInput> = {}): JobInput => ({
  title: 'Head of steam',
  description: 'Keeps all kettles boiling, in three shifts, every day of the week.',
  places: [{ city: 'Berlin', country: 'DE' }],
  remotePolicy: 'on-site',
  hybridDays: null,
  remoteRegions: [],
  employmentType: 'full-time',
  seniority: null,
  salary: { minimum: 50_000, maximum: 70_000, currency: 'EUR', period: 'year' },
  tags: [],
  apply: { link: 'https://example.com/jobs/1', email: null },
  ...over,
})

export const startThread = (ctx: Ctx, thread: threads.NewThread, issuer = noBadges) =>
  threads.startThread(ctx, thread, issuer)

export const addComment = (
  ctx: Ctx,
  threadId: string,
  comment: comments.NewComment,
  issuer = noBadges,
) => comments.addComment(ctx, threadId, comment, issuer)

export const voteThread = (ctx: Ctx, id: string, vote: Vote, limits = unlimited) =>
  votes.voteThread(ctx, id, vote, limits)

export const voteComment = (ctx: Ctx, id: string, vote: Vote, limits = unlimited) =>
  votes.voteComment(ctx, id, vote, limits)

export const votePoll = (ctx: Ctx, id: string, optionIndex: number, limits = unlimited) =>
  votes.votePoll(ctx, id, optionIndex, limits)

export const unreadCount = (ctx: Ctx, settings = ALL_NOTIFICATIONS) =>
  news.unreadCount(ctx, settings)

export const listNotifications = (ctx: Ctx, after?: string, settings = ALL_NOTIFICATIONS) =>
  news.listNotifications(ctx, after, settings)

export const markRead = (ctx: Ctx, id: string, isRead: boolean) =>
  marks.markRead(ctx, id, isRead, ALL_NOTIFICATIONS)

export const markAllRead = (ctx: Ctx) => marks.markAllRead(ctx, ALL_NOTIFICATIONS)

export const queueDigests = (base: ServerContext, settings = ALL_NOTIFICATIONS) =>
  digests.queueDigests(base, 'daily', settings)
