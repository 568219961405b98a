/** Whether a PostgreSQL takes somebody in: asked once for all who want to know. */
import pg from 'pg'
import { whyNotConnected } from './postgres-errors.server.ts'

const ANSWER_WITHIN_MS = 800
/** So long an answer holds for whoever asks later. */
const HOLDS_MS = 250

/** Makes a function that throws `Unavailable` within a second where nobody answers. */
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
