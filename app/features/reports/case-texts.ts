/** Cases in sentences. Runs in the browser too: no I/O here. */
import type { HiddenState } from './report.ts'
import { reasonName } from './report.ts'

/** Why a thread is not shown. */
export const THREAD_NOT_FOUND = 'This thread does not exist'
export const THREAD_HELD = 'This thread is held until a moderator has looked at it'

/** What stands in place of a comment that is not shown. */
export const stubText = ({ state, reason }: { state: HiddenState; reason: string | null }) =>
  state === 'held'
    ? 'Held until a moderator has looked at it'
    : `Removed by a moderator: ${reasonName(reason)}`

interface Reported {
  cause: 'reports' | 'burst' | 'moderator'
  reports: readonly { reason: string; count: number }[]
}

/** Why a post waits, as far as its reports do not tell. */
export function causeText({ cause, reports }: Reported): string {
  const count = reports.reduce((sum, each) => sum + each.count, 0)
  if (count > 0) return count === 1 ? 'Reported once' : `Reported ${count} times`
  if (cause === 'burst') return 'Somebody new posted a lot within an hour'
  return cause === 'moderator' ? 'A moderator looked at it' : 'Reported before'
}
