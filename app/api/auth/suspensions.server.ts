import type { OwnRows } from './own-rows.server.ts'

/** All are checked on every write, so they are few. No two of a person share a key. D41. */
export const SUSPENSIONS: OwnRows = { table: 'suspensions', kind: 'suspension', max: 16 }
