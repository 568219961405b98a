/** What errors of PostgreSQL, a pooler or the driver say about the database's availability, and a check. */

import pg from 'pg'
import { OutcomeUnknown, Unavailable } from '../http/unavailable.ts'

/** The connection is broken, or leads to a server that can't write. */
const ENDS_CONNECTION = /^(08...|57P0[1235]|25P03|25006)$/
/** The server is there, but busy: out of room, memory or connections, or a statement took too long. */
const BUSY = /^(53...|57014|25P03)$/
/**
 * The driver's own timeouts, which have no code. The connection may be dead, or busy with something no one
 * is waiting for.
 */
const GAVE_UP = /^(Query read timeout|Connection terminated due to connection timeout)$/
const POOL_IS_EMPTY = 'timeout exceeded when trying to connect'
/** Outside a transaction, such a statement commits by itself. */
const WRITES = /\b(insert|update|delete|merge)\b/i
/** The role, password or database is wrong, which only the operator can fix. */
const MISCONFIGURED = /^(28...|3D...)$/

const codeOf = (error: unknown) => {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

const isSqlState = (code: string | undefined) =>
  code !== undefined && /^[0-9FHPX][0-9A-Z]{4}$/.test(code)

/** Whether to drop the connection where it happened. */
export function endsConnection(error: unknown): boolean {
  const code = codeOf(error)
  return !isSqlState(code) || ENDS_CONNECTION.test(code as string)
}

/** Says why a connection couldn't be made. */
export function whyNotConnected(error: unknown): Unavailable {
  const code = codeOf(error)
  const isBusy =
    (error as Error).message === POOL_IS_EMPTY || (isSqlState(code) && BUSY.test(code as string))
  return new Unavailable({ code, isBusy, cause: error })
}

/**
 * What a failed statement means. @param isLost whether its connection broke @returns the error itself (for
 * example a refused row or a bug), unless the database is away
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
  // 25006 is a former primary, which refuses before it writes.
  if (commits && ends && code !== '25006') return new OutcomeUnknown({ code, cause: error })
  return new Unavailable({ code, isBusy, cause: error })
}

/** Waiting doesn't help, because the site's or the database's settings are wrong. */
export const isMisconfigured = (error: unknown) => {
  const code = codeOf(error)
  return isAboutFile(error) || (isSqlState(code) && MISCONFIGURED.test(code as string))
}

/** The driver reads certificates and keys that a URL names. */
const isAboutFile = (error: unknown) =>
  (error as NodeJS.ErrnoException).syscall === 'open' ||
  /^(EISDIR|ERR_OSSL_.*)$/.test(codeOf(error) ?? '')

const NOTHING_LISTENS = 'nothing is listening there. Start PostgreSQL or fix the port'
const NO_SUCH_HOST = 'the host name is unknown'
const REFUSED = 'it rejects the user or password'
const NO_ANSWER = 'it took too long to respond. Check the firewall'
const NO_FILE = 'a certificate or key that it names can’t be read'
const CAUSES: Record<string, string> = {
  '28000': REFUSED,
  '28P01': REFUSED,
  '3D000': 'it has no database with that name. Run createdb',
  ECONNREFUSED: NOTHING_LISTENS,
  ENOENT: NOTHING_LISTENS,
  ENOTFOUND: NO_SUCH_HOST,
  EAI_AGAIN: NO_SUCH_HOST,
  ETIMEDOUT: NO_ANSWER,
  '53300': 'it has no free connections',
}

/**
 * Says why, by the error's code, because its message quotes what's in the setting: an address, a name, a file's path.
 * @param setting the one with the URL
 */
export function unreachableSentence(setting: string, error: Error) {
  const code = codeOf(error)
  // The driver's own timeouts have no code.
  const isLate = error.message === POOL_IS_EMPTY || GAVE_UP.test(error.message)
  const known = isAboutFile(error) ? NO_FILE : (CAUSES[code ?? ''] ?? (isLate ? NO_ANSWER : code))
  return `Can’t reach the database in ${setting}${known ? `: ${known}` : ''}. Check ${setting}.`
}

const ANSWER_WITHIN_MS = 800
/** How long a check's answer is reused. */
const HOLDS_MS = 250

/**
 * Makes a function that throws `Unavailable` within a second if no server answers. Concurrent callers
 * share one check.
 */
export function createConnectionCheck(url: string): () => Promise<void> {
  let latest: { answer: Promise<void>; endedAt: number } | undefined

  return () => {
    if (!latest || performance.now() - latest.endedAt > HOLDS_MS) {
      const attempt = { answer: ask(url), endedAt: Number.POSITIVE_INFINITY }
      const note = () => {
        attempt.endedAt = performance.now()
      }
      attempt.answer.then(note, note)
      latest = attempt
    }
    return latest.answer
  }
}

/** Uses its own connection, because the pool's may be dead. */
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
