/** Under which keys it lies that somebody may not write: no two suspensions of a person share any. D41. */
import type { OwnRows } from './own-rows.server.ts'

/** All of them are asked for whenever somebody writes, so they are few. */
export const SUSPENSIONS: OwnRows = { table: 'suspensions', kind: 'suspension', max: 16 }
