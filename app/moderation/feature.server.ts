import type { Feature } from '#app/api/feature.server.ts'
import { heldNoteContract } from '#app/community/reports/held-note.contract.ts'
import {
  POST_REWORDED,
  POSTS_REMOVED,
  VOTES_HELD,
} from '#app/community/reports/post-events.server.ts'
import { reportContract } from '#app/community/reports/report.contract.ts'
import { roomReportContract } from '#app/community/rooms/room.contract.ts'
import { COMPANY_DELETED } from '#app/companies/deletion/company-deletion.server.ts'
import { COMPANY_ROWS_MOVED } from '#app/companies/merging/merge-commands.server.ts'
import { subscribe } from '#app/platform/database/events.server.ts'
import { followChosenLimits, readChosenLimits } from '#app/platform/http/chosen-limits.server.ts'
import { moderationContract } from './moderation.contract.ts'
import {
  heldNoteHandlers,
  moderationHandlers,
  reportHandlers,
  roomReportHandlers,
} from './moderation-api.server.ts'
import { removeCases, reopenToReports } from './moderation-case.server.ts'
import { countRemovalsAnew } from './removal-counters.server.ts'
import { keepRemovalCounts } from './removal-counts.server.ts'
import { carriedReports } from './report-commands.server.ts'
import {
  carriedSuspensions,
  forgetSuspended,
  sweepSuspensions,
} from './suspension-commands.server.ts'
import { fileVotes } from './vote-ruling-commands.server.ts'
import { holdWatched } from './watch-list.server.ts'

export const moderation: Feature = {
  events: [
    subscribe(COMPANY_DELETED, async ({ db }, { companyId }) => {
      await keepRemovalCounts(db, companyId)
      return {}
    }),
    subscribe(COMPANY_ROWS_MOVED, ({ db }, { companyIds }) => countRemovalsAnew(db, companyIds)),
    subscribe(POST_REWORDED, async (ctx, post) => {
      await reopenToReports(ctx.db, post)
      await holdWatched(ctx, [post])
    }),
    subscribe(VOTES_HELD, (ctx, post) => fileVotes(ctx, post)),
    subscribe(POSTS_REMOVED, async ({ db }, posts) => {
      await removeCases(db, posts)
    }),
  ],
  async routes({ bind, db, counters, issuer }) {
    // Before anybody is answered.
    counters.push({ start: () => readChosenLimits(db), stop: async () => {} })
    await followChosenLimits(db)
    bind(reportContract, reportHandlers)
    bind(heldNoteContract, heldNoteHandlers)
    bind(roomReportContract, roomReportHandlers(issuer))
    bind(moderationContract, moderationHandlers)
  },
  nightly: ({ db, base: { now } }) => [
    { name: 'sweep suspensions', run: () => sweepSuspensions({ db, now }) },
  ],
  carried: [carriedReports, carriedSuspensions],
  forget: ({ root }, { base }) => forgetSuspended(base, root),
}
