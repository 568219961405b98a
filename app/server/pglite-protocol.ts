/** What the main thread and the database's worker say to each other. */

export type Request =
  | { id: number; kind: 'query'; text: string; values: unknown[] }
  | { id: number; kind: 'script'; text: string }
  | { id: number; kind: 'listen'; channel: string }
  | { id: number; kind: 'dump'; path: string }
  | { id: number; kind: 'close' }

export type Response =
  | { id: number; rows: unknown[] }
  | { id: number; error: { message: string; code?: string; constraint?: string; detail?: string } }

/** Sent for each `notify` on a channel that is listened to. */
export type Notification = { channel: string; payload: string }

/** Sent once, when the database is open or could not be opened. */
export type Opened = { opened: true } | { opened: false; message: string }

/** The last word of an engine that gave up, in PostgreSQL's words: a full disk, a file that is gone. */
export type Lost = { lost: string }

/** Where the data lies, and the file of `dump` with which a new database begins, if with any. */
export interface PgliteData {
  dataDir: string
  from?: string
}
