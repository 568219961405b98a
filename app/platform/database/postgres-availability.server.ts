/** Whether the database is there: what errors of PostgreSQL, of a pooler before it and of the driver mean, and a check. */

import pg from 'pg'
import { OutcomeUnknown, Unavailable } from '../http/unavailable.ts'

/** After these the connection is of no use: it is gone, or leads to a server that may not write. */
const ENDS_CONNECTION = /^(08...|57P0[1235]|25P03|25006)$/
/** Room, memory or connections have run out, or a statement took too long: it is there, and too busy. */
const BUSY = /^(53...|57014|25P03)$/
/** The driver's own limit: the connection may be dead, or still at work on what nobody waits for. */
const GAVE_UP = /^(Query read timeout|Connection terminated due to connection timeout)$/
const POOL_IS_EMPTY = 'timeout exceeded when trying to connect'
/** Without a commit of its own in view, such a statement commits by itself. */
const WRITES = /\b(insert|update|delete|merge)\b/i
/** The role, the password or the database is not there: only somebody who runs the site can mend that. */
const MISCONFIGURED = /^(28...|3D...)$/

const codeOf = (error: unknown) => {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

const isSqlState = (code: string | undefined) =>
  code !== undefined && /^[0-9FHPX][0-9A-Z]{4}$/.test(code)

/** Whether the connection on which it happened must not be used again. */
export function endsConnection(error: unknown): boolean {
  const code = codeOf(error)
  return !isSqlState(code) || ENDS_CONNECTION.test(code as string)
}

/** Of a connection that could not be had. */
export function whyNotConnected(error: unknown): Unavailable {
  const code = codeOf(error)
  const isBusy =
    (error as Error).message === POOL_IS_EMPTY || (isSqlState(code) && BUSY.test(code as string))
  return new Unavailable({ code, isBusy, cause: error })
}

/**
 * Of a statement that failed. @param isLost whether its connection broke
 * @returns the error itself where the database is not away: a refused row, a bug
 */
export function whyNotDone(
  error: unknown,
  { text, isLost, isInTransaction }: { text: string; isLost: boolean; isInTransaction: boolean },
): unknown {
  const code = codeOf(error)
  const isState = isSqlState(code)
  const ends =
    isLost ||
    GAVE_UP.test((error as Error).message) ||
    (isState && ENDS_CONNECTION.test(code as string))
  const isBusy = isState && BUSY.test(code as string)
  if (!ends && !isBusy) return error
  const commits = isInTransaction ? text === 'commit' : WRITES.test(text)
  // A former primary refuses before it writes; so does one that stops what takes too long.
  if (commits && ends && code !== '25006') return new OutcomeUnknown({ code, cause: error })
  return new Unavailable({ code, isBusy, cause: error })
}

/** Waiting longer helps nobody: the site's settings are wrong, or the database's. */
export const isMisconfigured = (error: unknown) => {
  const code = codeOf(error)
  return isSqlState(code) && MISCONFIGURED.test(code as string)
}

const ANSWER_WITHIN_MS = 800
/** So long an answer holds for whoever asks later. */
const HOLDS_MS = 250

/** Makes a function that throws `Unavailable` within a second where nobody answers. Asked once for all who want to know. */
export function createConnectionCheck(url: string): () => Promise<void> {
  let latest: { answer: Promise<void>; endedAt: number } | undefined

  return () => {
    if (!latest || performance.now() - latest.endedAt > HOLDS_MS) {
      const asked = { answer: ask(url), endedAt: Number.POSITIVE_INFINITY }
      const note = () => {
        asked.endedAt = performance.now()
      }
      asked.answer.then(note, note)
      latest = asked
    }
    return latest.answer
  }
}

/** On a connection of its own: those of the pool may be the ones that are dead. */
async function ask(url: string) {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'kettle',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
  } catch (error) {
    throw whyNotConnected(error)
  } finally {
    client.end().catch(() => {})
  }
}
