/** What proofs in a room are bound to. Browser and server must make the same bytes. */
import type { Reason } from '../reports/report.ts'
import type { RoomText } from './room.ts'

const encoded = (said: unknown[]) => new TextEncoder().encode(JSON.stringify(said))

/** A pass says no more than its context. */
export const PASS_MESSAGE = encoded(['pass'])

export interface RoomPostSent extends RoomText {
  /** The idempotency key, a uuid. */
  id: string
  /** Its own id where it begins a thread. */
  threadId: string
  /** SHA-256 of the key that changes and removes it, in base64url. */
  holder: string
}

/** A post with one letter changed needs another proof. */
export const roomPostMessage = ({ id, threadId, holder, title, body }: RoomPostSent) =>
  encoded([id, threadId, holder, title, body])

export const roomReportMessage = (id: string, { reason, note }: { reason: Reason; note: string }) =>
  encoded([id, reason, note])
