/** What benches of writing share: people who are signed in, and many at once. */
import autocannon from 'autocannon'
import pg from 'pg'
import { startBuiltSite } from './program.ts'

const ROUND_SECONDS = 4
const CONNECTIONS = 16
const THREADS = 2_000

export const headersOf = (token?: string): Record<string, string> => ({
  'content-type': 'application/json',
  ...(token ? { authorization: `Bearer ${token}` } : {}),
})

/** A site on which nobody has to wait before they write, and a client of its database. */
export async function startWritingSite(databaseUrl: string) {
  const site = await startBuiltSite({
    DATABASE_URL: databaseUrl,
    STARTER: 'none',
    RATE_LIMITS: 'off',
    PROOF_OF_WORK: '0',
  })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const stop = async () => {
    await site.stop()
    await client.end()
  }
  return { site, client, stop }
}

/** Others at each call: a run's parts share a database. */
let signedUp = 0

/** Answers the tokens of so many new members. */
export async function signUpAll(site: string, count: number) {
  const tokens: string[] = []
  for (let n = 0; n < count; n++) tokens.push((await signUp(site)).access_token)
  return tokens
}

/** Answers the session of a new member, as a browser keeps it. */
export async function signUp(site: string): Promise<{ access_token: string }> {
  const answer = await fetch(`${site}/auth/v1/signup`, {
    method: 'POST',
    headers: headersOf(),
    body: JSON.stringify({
      email: `bench-${process.pid}-${signedUp++}@kettle.example`,
      password: 'correct horse 9',
    }),
  })
  if (!answer.ok) throw new Error(`Signing up: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/**
 * The ids of threads that can be answered, anywhere among all; of so many that two callers seldom meet in one,
 * where the second would wait for the first.
 */
export async function someThreads(client: pg.Client) {
  const { rows } = await client.query<{ id: string }>(
    `select id from threads
      tablesample system (least(100, 100.0 * ${4 * THREADS} / greatest(
        (select reltuples from pg_class where oid = 'threads'::regclass), 1)))
      where hidden is null and not is_locked order by random() limit ${THREADS}`,
  )
  return rows.map(({ id }) => id)
}

export interface Write {
  path: string
  headers: Record<string, string>
  body: string
}

/** Requests per second of many callers at once. */
export async function perSecond(
  url: string,
  write: () => Write,
  method: 'POST' | 'PUT' = 'POST',
  seconds = ROUND_SECONDS,
) {
  const { requests, errors, non2xx } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [{ method, setupRequest: (request) => ({ ...request, ...write() }) }],
  })
  if (errors + non2xx > 0) throw new Error(`${url}: ${errors} errors, ${non2xx} not 2xx`)
  return requests.average
}

/** Until what follows posts is done: it shall not take its time from what comes next. */
export async function untilIdle(client: pg.Client) {
  for (;;) {
    const { rows } = await client.query(`select from job_queue where kind = 'post-added' limit 1`)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
