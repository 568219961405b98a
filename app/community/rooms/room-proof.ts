/** What proofs in a room are bound to. Browser and server must make the same bytes. No I/O here. */
import type { Reason } from '../reports/report.ts'
import type { RoomText } from './room.ts'

const encoded = (said: unknown[]) => new TextEncoder().encode(JSON.stringify(said))

/** Of a pass there is nothing more to say than its context. */
export const PASS_MESSAGE = encoded(['pass'])

export interface RoomPostSent extends RoomText {
  /** A uuid of its form: sent twice, it is one post. */
  id: string
  /** Its own id for what begins a thread. */
  threadId: string
  /** SHA-256 of the key that changes and removes it, in base64url. */
  holder: string
}

/** Whoever changed a letter of it on its way would need another proof. */
export const roomPostMessage = ({ id, threadId, holder, title, body }: RoomPostSent) =>
  encoded([id, threadId, holder, title, body])

export const roomReportMessage = (id: string, { reason, note }: { reason: Reason; note: string }) =>
  encoded([id, reason, note])
