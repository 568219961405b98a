/** Decisions in sentences. Runs in the browser too: no I/O here. */

import type { Action, PostKind } from '#app/community/reports/report.ts'
import { dateText } from '#app/kit/ui/date-text.ts'

interface Decision {
  action: Action
  kind: PostKind
  detail: string | null
}

/** What was done, to go on from the moderator's name: "removed a comment". */
export function decisionText({ action, detail, ...post }: Decision): string {
  const kind = post.kind === 'room' ? 'post of a room' : post.kind
  const to = detail ?? 'no company'
  switch (action) {
    case 'keep':
      return `kept a ${kind}`
    case 'remove':
      return `removed a ${kind}`
    case 'hold':
      return `held a ${kind}`
    case 'lock':
      return 'locked a thread'
    case 'unlock':
      return 'unlocked a thread'
    case 'slow':
      return `put a thread in slow mode${detail ? `: one comment in ${detail}` : ''}`
    case 'unslow':
      return 'ended the slow mode of a thread'
    case 'pin':
      return 'pinned a thread'
    case 'unpin':
      return 'unpinned a thread'
    case 'move':
      return `moved a thread to ${to}`
    case 'suspend':
      return `suspended who wrote a ${kind}${detail ? ` until ${dateText(detail)}` : ''}`
    case 'accept-appeal':
      return `accepted an appeal and showed a ${kind} again`
    case 'decline-appeal':
      return `declined an appeal about a ${kind}`
    case 'count-votes':
      return `let held votes on a ${kind} count${detail ? `: ${detail}` : ''}`
    case 'drop-votes':
      return `dropped held votes on a ${kind}${detail ? `: ${detail}` : ''}`
    case 'undo':
      return 'took a decision back'
  }
}
