import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import {
  type DecisionContract,
  decisionContract,
} from '#app/community/reports/decision.contract.ts'
import {
  POST_REWORDED,
  POSTS_REMOVED,
  VOTES_HELD,
} from '#app/community/reports/post-moderation.server.ts'
import {
  type NoteByKeyContract,
  noteByKeyContract,
  type ReportContract,
  reportContract,
} from '#app/community/reports/report.contract.ts'
import { type RoomReportContract, roomReportContract } from '#app/community/rooms/room.contract.ts'
import { COMPANY_DELETED } from '#app/companies/deletion/company-deletion.server.ts'
import { COMPANY_ROWS_MOVED } from '#app/companies/merging/merge-commands.server.ts'
import { subscribe } from '#app/platform/database/server-context.server.ts'
import { followChosenLimits, readChosenLimits } from '#app/platform/http/chosen-limits.server.ts'
import {
  acceptAppeal,
  appealNoteByKey,
  appealRemoval,
  appealRoomPost,
  declineAppeal,
} from './appeal-commands.server.ts'
import { myModeration, noteByKey } from './appeal-queries.server.ts'
import { removeCases, reopenToReports } from './cases.server.ts'
import {
  acceptHeldVotes,
  discardHeldVotes,
  fileVotes,
  keepPost,
  keepPosts,
  lockThread,
  moveThread,
  pinThread,
  removePost,
  removePosts,
  slowThread,
  unlockThread,
  unpinThread,
  unslowThread,
} from './decision-commands.server.ts'
import { type ModerationContract, moderationContract } from './moderation.contract.ts'
import {
  latestAboutNotes,
  latestInThread,
  moderationLog,
  undoDecision,
} from './moderation-log.server.ts'
import { chooseFirstPosts, firstPosts } from './new-posts.server.ts'
import { moderationQueue } from './queue-queries.server.ts'
import { keepRemovalCounts, recountRemovals, removalsAbout } from './removal-counts.server.ts'
import { reportPost, reportRoomPost } from './report-commands.server.ts'
import { forgetSuspended, suspendAuthor, sweepSuspensions } from './suspension-commands.server.ts'
import {
  addTemplate,
  changeTemplate,
  chooseLimit,
  dryRun,
  holdWatched,
  noteTemplates,
  postingLimits,
  removeTemplate,
  unwatch,
  watchedWords,
  watchFor,
} from './tool-commands.server.ts'

const noteByKeyHandlers: Handlers<NoteByKeyContract> = {
  'POST /api/v1/notes/{id}/by-key': (ctx, { params, body }) => noteByKey(ctx, params.id, body.keys),
  'POST /api/v1/notes/{id}/by-key/appeal': (ctx, { params, body }) =>
    appealNoteByKey(ctx, params.id, body),
}

const roomReportHandlers = (issuer: Issuer): Handlers<RoomReportContract> => ({
  'POST /api/v1/room/posts/{id}/report': (ctx, { params, body }) =>
    reportRoomPost(ctx, params.id, body, issuer),
  'POST /api/v1/room/posts/{id}/appeal': (ctx, { params, body }) =>
    appealRoomPost(ctx, params.id, body),
})

export const reportHandlers: Handlers<ReportContract> = {
  'POST /api/v1/reports': (ctx, { body }) =>
    reportPost(ctx, { kind: body.kind, id: body.id }, body),
  'GET /api/v1/removals': (ctx, { query }) => removalsAbout(ctx, query.company),
  'GET /api/v1/my/moderation': (ctx) => myModeration(ctx),
  'POST /api/v1/my/moderation/{kind}/{id}/appeal': (ctx, { params, body }) =>
    appealRemoval(ctx, params, body.text),
}

export const decisionHandlers: Handlers<DecisionContract> = {
  'POST /api/v1/moderation/log/{entry}/undo': (ctx, { params }) => undoDecision(ctx, params.entry),
  'GET /api/v1/moderation/threads/{id}/latest': (ctx, { params }) => latestInThread(ctx, params.id),
  'GET /api/v1/moderation/companies/{id}/latest': (ctx, { params }) =>
    latestAboutNotes(ctx, params.id),
  'GET /api/v1/moderation/templates': (ctx) => noteTemplates(ctx),
  'POST /api/v1/moderation/templates': (ctx, { body }) => addTemplate(ctx, body),
  'PUT /api/v1/moderation/templates/{id}': (ctx, { params, body }) =>
    changeTemplate(ctx, params.id, body),
  'DELETE /api/v1/moderation/templates/{id}': (ctx, { params }) => removeTemplate(ctx, params.id),
  'POST /api/v1/moderation/posts/keep': (ctx, { body }) => keepPosts(ctx, body.posts),
  'POST /api/v1/moderation/posts/remove': (ctx, { body: { posts, ...removal } }) =>
    removePosts(ctx, posts, removal),
  'POST /api/v1/moderation/posts/{kind}/{id}/keep': (ctx, { params, body }) =>
    keepPost(ctx, { ...params, seen: body?.seen }),
  'POST /api/v1/moderation/posts/{kind}/{id}/remove': (ctx, { params, body }) =>
    removePost(ctx, { ...params, seen: body.seen }, body),
  'POST /api/v1/moderation/posts/{kind}/{id}/suspend': (ctx, { params, body }) =>
    suspendAuthor(ctx, { ...params, seen: body.seen }, body),
  'POST /api/v1/moderation/threads/{id}/lock': (ctx, { params, body }) =>
    lockThread(ctx, params.id, body?.note, body?.seen),
  'POST /api/v1/moderation/threads/{id}/unlock': (ctx, { params, body }) =>
    unlockThread(ctx, params.id, body?.seen),
  'POST /api/v1/moderation/threads/{id}/slow': (ctx, { params, body }) =>
    slowThread(ctx, params.id, body.minutes, body.seen),
  'POST /api/v1/moderation/threads/{id}/unslow': (ctx, { params, body }) =>
    unslowThread(ctx, params.id, body?.seen),
  'POST /api/v1/moderation/threads/{id}/pin': (ctx, { params, body }) =>
    pinThread(ctx, params.id, body?.seen),
  'POST /api/v1/moderation/threads/{id}/unpin': (ctx, { params, body }) =>
    unpinThread(ctx, params.id, body?.seen),
  'POST /api/v1/moderation/threads/{id}/move': (ctx, { params, body }) =>
    moveThread(ctx, params.id, body.companyId, body.seen),
}

export const moderationHandlers: Handlers<ModerationContract> = {
  'GET /api/v1/moderation/watched-words': (ctx) => watchedWords(ctx),
  'POST /api/v1/moderation/watched-words/dry-run': (ctx, { body }) => dryRun(ctx, body.entry),
  'POST /api/v1/moderation/watched-words': (ctx, { body }) => watchFor(ctx, body.entry),
  'DELETE /api/v1/moderation/watched-words/{id}': (ctx, { params }) => unwatch(ctx, params.id),
  'GET /api/v1/moderation/limits': (ctx) => postingLimits(ctx),
  'PUT /api/v1/moderation/limits/{name}': (ctx, { params, body }) =>
    chooseLimit(ctx, params.name, body.uses),
  'GET /api/v1/moderation/first-posts': (ctx) => firstPosts(ctx),
  'PUT /api/v1/moderation/first-posts': (ctx, { body }) => chooseFirstPosts(ctx, body.posts),
  'GET /api/v1/moderation/queue': (ctx, { query }) => moderationQueue(ctx, query),
  'GET /api/v1/moderation/log': (ctx, { query }) => moderationLog(ctx, query.after),
  'POST /api/v1/moderation/posts/{kind}/{id}/count-votes': (ctx, { params }) =>
    acceptHeldVotes(ctx, params),
  'POST /api/v1/moderation/posts/{kind}/{id}/drop-votes': (ctx, { params }) =>
    discardHeldVotes(ctx, params),
  'POST /api/v1/moderation/posts/{kind}/{id}/accept-appeal': (ctx, { params }) =>
    acceptAppeal(ctx, params),
  'POST /api/v1/moderation/posts/{kind}/{id}/decline-appeal': (ctx, { params, body }) =>
    declineAppeal(ctx, params, body.note),
}

export const moderation: Feature = {
  events: () => [
    subscribe(COMPANY_DELETED, async ({ db }, { companyId }) => {
      await keepRemovalCounts(db, companyId)
    }),
    subscribe(COMPANY_ROWS_MOVED, ({ db }, { companyIds }) => recountRemovals(db, companyIds)),
    subscribe(POST_REWORDED, async (ctx, post) => {
      await reopenToReports(ctx.db, post)
      await holdWatched(ctx, [post])
    }),
    subscribe(VOTES_HELD, (ctx, post) => fileVotes(ctx, post)),
    subscribe(POSTS_REMOVED, async ({ db }, posts) => {
      await removeCases(db, posts)
    }),
  ],
  async routes({ http, bind, db, services, issuer }) {
    services.push({ start: () => readChosenLimits(db) })
    await followChosenLimits(db, (err) =>
      http.log.warn({ err }, 'Couldn’t read the limits that administrators chose. Trying again'),
    )
    bind(reportContract, reportHandlers)
    bind(decisionContract, decisionHandlers)
    bind(noteByKeyContract, noteByKeyHandlers)
    bind(roomReportContract, roomReportHandlers(issuer))
    bind(moderationContract, moderationHandlers)
  },
  nightly: ({ db, base: { now } }) => [
    { name: 'sweep suspensions', run: () => sweepSuspensions({ db, now }) },
  ],
  forget: ({ root }, { base }) => forgetSuspended(base, root),
}
