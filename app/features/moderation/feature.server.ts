import type { Feature } from '../../api/feature.server.ts'
import { followChosenLimits, readChosenLimits } from '../../server/chosen-limits.server.ts'
import { subscribe } from '../../server/events.server.ts'
import { COMPANY_DELETED } from '../companies/deletion/company-deletion.server.ts'
import { COMPANY_ROWS_MOVED } from '../companies/merging/merge-commands.server.ts'
import { heldNoteContract } from '../reports/held-note.contract.ts'
import { POST_REWORDED, POSTS_REMOVED, VOTES_HELD } from '../reports/post-events.server.ts'
import { reportContract } from '../reports/report.contract.ts'
import { roomReportContract } from '../rooms/room.contract.ts'
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
