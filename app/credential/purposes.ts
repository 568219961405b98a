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
