/**
 * What credentials of this site are for, in the bytes that are hashed: the browser and the server must say the same.
 * No I/O here.
 */
import { utf8ToBytes } from './group.ts'

/** A credential of one purpose and quarter is none of another. Quarters read 2026-Q4. */
export type Purpose =
  | { kind: 'ratings'; quarter: string }
  /** Somebody reads mail at this domain. */
  | { kind: 'badge'; domain: string; quarter: string }

/** What a credential is asked for. */
export const requestContextOf = (purpose: Purpose) =>
  utf8ToBytes(
    purpose.kind === 'badge'
      ? `badge ${purpose.domain} ${purpose.quarter}`
      : `ratings ${purpose.quarter}`,
  )

/** Each person has one tag in it. */
export const ratingContextOf = (companyId: string) => utf8ToBytes(`rate:${companyId}`)

/** Another one for each post, so that no tag is seen twice. @param sending the uuid of its form */
export const postContextOf = (sending: string) => utf8ToBytes(`post:${sending}`)

/** Each holder of a badge has one tag in it: a pass of that day. @param day such as 2026-03-14 */
export const roomDayContextOf = (domain: string, day: string) =>
  utf8ToBytes(`room-day:${domain}:${day}`)

/** One tag in each thread of a room, and so one name there. */
export const roomThreadContextOf = (threadId: string) => utf8ToBytes(`room-thread:${threadId}`)

/** One tag for each post: nobody reports it twice. */
export const roomReportContextOf = (postId: string) => utf8ToBytes(`room-report:${postId}`)
