/** The contexts of credentials, as hashed bytes. Browser and server must agree on them. */
import { concatBytes, utf8ToBytes } from './group.ts'

/** Puts each part's length before it, so no two lists of parts have the same bytes. */
export const encoded = (...parts: (string | Uint8Array)[]): Uint8Array =>
  concatBytes(
    ...parts.flatMap((part) => {
      const bytes = typeof part === 'string' ? utf8ToBytes(part) : part
      return [lengthOf(bytes), bytes]
    }),
  )

/** Four bytes, most significant first. */
function lengthOf({ length }: Uint8Array) {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, length)
  return bytes
}

/** A credential is only valid for one purpose and quarter, such as 2026-Q4. */
export type Purpose =
  | { kind: 'ratings'; quarter: string }
  | { kind: 'badge'; domain: string; quarter: string }

export const requestContextOf = (purpose: Purpose) =>
  utf8ToBytes(
    purpose.kind === 'badge'
      ? `badge ${purpose.domain} ${purpose.quarter}`
      : `ratings ${purpose.quarter}`,
  )

/** A context in which each person has one tag. */
export const ratingContextOf = (companyId: string) => utf8ToBytes(`rate:${companyId}`)

/** One tag per company and year. */
export const payContextOf = (companyId: string, year: number) =>
  utf8ToBytes(`pay:${companyId}:${year}`)

/** As for pay, one tag per company and year. */
export const interviewContextOf = (companyId: string, year: number) =>
  utf8ToBytes(`interview:${companyId}:${year}`)

/** As for pay, one tag per company and year. */
export const benefitsContextOf = (companyId: string, year: number) =>
  utf8ToBytes(`benefits:${companyId}:${year}`)

/** Different for each post, so no tag occurs twice. */
export const postContextOf = (idempotencyKey: string) => utf8ToBytes(`post:${idempotencyKey}`)

/**
 * A context in which each badge holder has one tag, their pass for the day.
 * @param day such as 2026-03-14
 */
export const roomDayContextOf = (domain: string, day: string) =>
  utf8ToBytes(`room-day:${domain}:${day}`)

/** One tag per thread of a room, and so one name. */
export const roomThreadContextOf = (threadId: string) => utf8ToBytes(`room-thread:${threadId}`)

/** One tag per post, so no one reports it twice. */
export const roomReportContextOf = (postId: string) => utf8ToBytes(`room-report:${postId}`)
