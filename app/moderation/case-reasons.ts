/** What brings a case before the moderators. Runs in the browser too: no I/O here. */
import { REASONS, type Reason, reasonName } from '#app/community/reports/report.ts'

/** What else than reports, or a moderator, opens a case. */
const OTHER_CAUSES = ['watched', 'first', 'burst', 'votes'] as const
type OtherCause = (typeof OTHER_CAUSES)[number]

/** By what the queue is narrowed. A case may have several. */
export const CASE_REASONS = [...REASONS, ...OTHER_CAUSES] as const
export type CaseReason = (typeof CASE_REASONS)[number]

const CAUSE_NAMES: Record<OtherCause, string> = {
  watched: 'On the watch list',
  first: 'First posts of somebody new',
  burst: 'Many posts of somebody new',
  votes: 'Unusual voting',
}

export const isReason = (why: CaseReason): why is Reason =>
  (REASONS as readonly string[]).includes(why)

export const caseReasonName = (why: CaseReason) =>
  isReason(why) ? reasonName(why) : CAUSE_NAMES[why]
