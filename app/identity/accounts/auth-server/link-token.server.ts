/**
 * The random text of a link or a code, which says itself when it ends: only its hash is stored, so nobody can
 * move that, and its row need not say when somebody signed up.
 */
import { randomBytes } from 'node:crypto'
import { DAY_MS, dayOf } from '#app/platform/jobs/days.server.ts'
import type { LinkKind } from './account-mail.server.ts'

/** Decision 8: a link lives an hour. */
const LINK_MINUTES = 60
const CODE_MINUTES = 5
const RANDOM_BYTES = 32
const END_BYTES = 4

const minutesOf = (kind: LinkKind | 'code') => (kind === 'code' ? CODE_MINUTES : LINK_MINUTES)

/** To the minute, as everything here. */
const endAfter = (now: Date, kind: LinkKind | 'code') =>
  Math.ceil(now.getTime() / 60_000 + minutesOf(kind))

export function newLinkToken(kind: LinkKind | 'code', now: Date) {
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32BE(endAfter(now, kind))
  return Buffer.concat([randomBytes(RANDOM_BYTES), end]).toString('base64url')
}

/** What ends later than it can was made by a clock that was ahead. */
export function isInTime(text: string, kind: LinkKind | 'code', now: Date) {
  const bytes = Buffer.from(text, 'base64url')
  // Of before the end was in it: the day of its row is enough.
  if (bytes.length === RANDOM_BYTES) return true
  if (bytes.length !== RANDOM_BYTES + END_BYTES) return false
  const end = bytes.readUInt32BE(RANDOM_BYTES)
  return end > now.getTime() / 60_000 && end <= endAfter(now, kind)
}

/** The day after which the row of one that is made now can go. */
export const dayOverAfter = (now: Date) => dayOf(new Date(now.getTime() + DAY_MS))
