/** Proves that you have a badge, but not who you are. Load this lazily, because the curve is heavy. */
import { randomScalar } from '#app/api/credential/group.ts'
import { keyHashOf, roomKeyOf } from '#app/api/credential/holder-keys.ts'
import { present, serializePresentation } from '#app/api/credential/profile.ts'
import {
  roomDayContextOf,
  roomReportContextOf,
  roomThreadContextOf,
} from '#app/api/credential/purposes.ts'
import type { StoredBadge } from '#app/companies/badges/stored-badges.data.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { fromBase64url, toBase64url } from '#app/identity/credentials/credential.ts'
import { readCredential } from '#app/identity/credentials/issuing.data.ts'
import { passMessage, type RoomText, roomPostMessage, roomReportMessage } from './room.ts'

const presentationOf = (badge: StoredBadge, context: Uint8Array, message: Uint8Array) => ({
  quarter: badge.quarter,
  presentation: toBase64url(
    serializePresentation(present(readCredential(badge), context, message, randomScalar)),
  ),
})

export function entryWithProof(badge: StoredBadge, challenge: string) {
  const { domain } = badge
  const today = new Date().toISOString().slice(0, 10)
  const proof = presentationOf(badge, roomDayContextOf(domain, today), passMessage(challenge))
  return { challenge, domain, ...proof }
}

export function postWithProof(
  badge: StoredBadge,
  text: RoomText & { id: string; threadId: string },
) {
  const { threadId } = text
  const post = {
    ...text,
    holder: toBase64url(keyHashOf(roomKeyOf(fromBase64url(badge.m1), threadId))),
  }
  return { ...post, ...presentationOf(badge, roomThreadContextOf(threadId), roomPostMessage(post)) }
}

export const reportWithProof = (
  badge: StoredBadge,
  id: string,
  report: { reason: Reason; note: string },
) => ({
  ...report,
  ...presentationOf(badge, roomReportContextOf(id), roomReportMessage(id, report)),
})
