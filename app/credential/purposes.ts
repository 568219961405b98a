/**
 * What credentials of this site are for, in the bytes that are hashed: the browser and the server must say the same.
 * No I/O here.
 */
import { utf8ToBytes } from './group.ts'

/** A credential of one purpose and quarter is none of another. */
export interface Purpose {
  kind: 'ratings'
  /** 2026-Q4 */
  quarter: string
}

/** What a credential is asked for. */
export const requestContextOf = ({ kind, quarter }: Purpose) => utf8ToBytes(`${kind} ${quarter}`)

/** Each person has one tag in it. */
export const ratingContextOf = (companyId: string) => utf8ToBytes(`rate:${companyId}`)
