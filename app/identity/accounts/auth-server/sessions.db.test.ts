/** Sessions without rows: what ends them, what several processes and a crash know of them, and what is written. */

import { createHash, randomBytes } from 'node:crypto'
import sql, { empty, raw } from 'sql-template-tag'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  broadcastExchanges,
  readExchanges,
  storeExchanges,
  writeExchanges,
} from '#app/api/auth/refresh-token-store.server.ts'
import { readToken } from '#app/api/auth/refresh-tokens.server.ts'
import {
  good,
  newConfirmed,
  newWithApp,
  nextCode,
} from '#app/identity/accounts/second-factors/factor-people.fixture.ts'
import { slow } from '#tests/support/amounts.ts'
import { type AuthSite, openAuthSite, PASSWORD } from '#tests/support/auth-site.ts'
import { testSecrets, withDatabase } from '#tests/support/database.ts'
import { accountById } from '../account-queries.server.ts'
import { removeSecondFactors } from '../administrators/admin-commands.server.ts'
import { openSession } from './session-commands.server.ts'

const { outside } = withDatabase()
let site: AuthSite
beforeAll(async () => {
  site = await openAuthSite(outside())
})

interface Session {
  access_token: string
  refresh_token: string
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

async function newMember() {
  const email = site.newAddress()
  const client = site.client()
  const { session, user } = good(await client.signUp({ email, password: PASSWORD }))
  await site.post()
  return { email, client, id: user?.id as string, session: session as Session }
}

/** Another browser. */
async function signIn(email: string) {
  const client = site.client()
  const { session } = good(await client.signInWithPassword({ email, password: PASSWORD }))
  return { client, session: session as Session }
}

const refresh = async (refresh_token: string, at = site) => {
  const answer = await at.call('/auth/v1/token?grant_type=refresh_token', {
    json: { refresh_token },
  })
  return { status: answer.status, ...(await answer.json()) }
}
const statusOf = async ({ access_token }: Session, at = site) =>
  (await at.call('/api/v1/me', { token: access_token })).status
const lives = async (session: Session) => (await statusOf(session)) === 200
const claimsOf = ({ access_token }: Session) =>
  JSON.parse(atob(access_token.split('.')[1] as string))
const parts = (at: AuthSite) => ({ db: outside(), secrets: testSecrets, now: at.now })

/** Each row of each table, where it lies and which transaction wrote it. */
async function everything() {
  const tables = await outside().query<{ name: string }>(sql`
    select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`)
  const rows: [string, unknown][] = []
  for (const { name } of tables)
    rows.push([
      name,
      await outside().query(sql`
        select ctid::text, xmin::text, xmax::text, t.* from ${raw(name)} t order by t.ctid`),
    ])
  return rows
}

test('nadia, whose address has a Cyrillic domain, signs in however she types it', async () => {
  const typed = 'nadia@почта.рф'
  const { user } = good(await site.client().signUp({ email: typed, password: PASSWORD }))
  expect(user?.email).toBe(typed)
  const [mail] = await site.post()
  expect(mail?.to).toContain('@xn--80a1acny.xn--p1ai')
  for (const email of [
    typed,
    typed.toUpperCase(),
    typed.replace('почта.рф', 'xn--80a1acny.xn--p1ai'),
  ])
    expect((await signIn(email)).session.access_token).toBeTruthy()
})

describe('what a visit leaves', () => {
  test('nothing in the database changes when dana signs in, refreshes, reads and is refused', async () => {
    const { email, session: first } = await newMember()
    await statusOf(first)
    const before = await everything()
    const { client, session } = await signIn(email)
    expect(await statusOf(session)).toBe(200)
    expect((await client.getUser()).error).toBeNull()
    const next = good(await client.refreshSession()).session as Session
    expect(await statusOf(next)).toBe(200)
    expect((await refresh(session.refresh_token)).status).toBe(200)
    expect((await site.call('/api/v1/me/export', { token: next.access_token })).status).toBe(200)
    const wrong = await site.client().signInWithPassword({ email, password: 'wrong horse 9' })
    expect(wrong.error?.code).toBe('invalid_credentials')
    expect(await everything()).toEqual(before)
  })

  test('the second step leaves only the end of the previous session, which names no one', async () => {
    const { email, factorId, secret } = await newWithApp(site)
    const { client } = await signIn(email)
    const code = nextCode(site, secret)
    const before = await everything()
    good(await client.mfa.challengeAndVerify({ factorId, code }))
    const isOther = ([table]: [string, unknown]) => table !== 'ended_sessions'
    const after = await everything()
    expect(after.filter(isOther)).toEqual(before.filter(isOther))
    expect(after).not.toEqual(before)
  })

  test('an ended session’s row says neither whose it was nor on which day', async () => {
    const { email, client, id, session } = await newMember()
    const { session: other } = await signIn(email)
    await outside().query(sql`delete from ended_sessions`)
    await client.signOut({ scope: 'local' })
    await (await signIn(email)).client.signOut({ scope: 'global' })
    const rows = await outside().query<{ mark: string; month: string | null }>(
      sql`select * from ended_sessions`,
    )
    expect(rows).toHaveLength(2)
    for (const { mark, month } of rows) {
      expect(mark).toMatch(/^[\w-]{22}$/)
      expect(month ?? `${site.now().toISOString().slice(0, 7)}-01`).toMatch(/^\d{4}-\d\d-01$/)
    }
    const text = JSON.stringify(rows)
    for (const known of [id, claimsOf(session).session_id, claimsOf(other).session_id])
      expect(text).not.toContain(known)
  })

  test('a link’s row has only a day, and the link itself its minute', async () => {
    const { email, id } = await newMember()
    await site.client().resetPasswordForEmail(email)
    await site.post()
    const [row] = await outside().query<Record<string, unknown>>(
      sql`select * from one_time_tokens where account_id = ${id} and kind = 'recovery'`,
    )
    expect(JSON.stringify(row)).not.toMatch(/\d\d:\d\d/)
    const tomorrow = new Date(site.now().getTime() + 24 * HOUR_MS).toISOString().slice(0, 10)
    expect(row?.over_on).toBe(tomorrow)
  })
})

describe('the end of sessions', () => {
  test('a token ends 90 days after it was issued, and each refresh issues a new one', async () => {
    const { session } = await newMember()
    site.forward(89 * 24 * HOUR_MS)
    const next = await refresh(session.refresh_token)
    expect(next.status).toBe(200)
    site.forward(91 * 24 * HOUR_MS)
    expect((await refresh(next.refresh_token)).error_code).toBe('session_expired')
    site.forward(-180 * 24 * HOUR_MS)
  })

  test('dana ends all other sessions twice within an hour, and her own continues', async () => {
    const { email, client, session } = await newMember()
    for (const round of [1, 2]) {
      const { session: other, client: elsewhere } = await signIn(email)
      expect(claimsOf(other).session_generation).toBe(round - 1)
      good({ data: null, ...(await client.signOut({ scope: 'others' })) })
      expect([await lives(session), await lives(other)]).toEqual([true, false])
      expect((await elsewhere.refreshSession()).error?.code).toBe('refresh_token_not_found')
    }
    const next = await refresh(session.refresh_token)
    expect(claimsOf(next).session_generation).toBe(2)
    expect([await lives(next), await lives(session)]).toEqual([true, true])
    // A session that was kept ends like any other.
    const { client: later } = await signIn(email)
    await later.signOut({ scope: 'global' })
    expect([await lives(next), await lives(session)]).toEqual([false, false])
    expect((await refresh(next.refresh_token)).error_code).toBe('refresh_token_not_found')
  })

  test('if two sessions end all others at once, at most one stays', async () => {
    const { email, client, session } = await newMember()
    const { client: second, session: seconds } = await signIn(email)
    const answers = await Promise.all(
      [client, second].map((browser) => browser.signOut({ scope: 'others' })),
    )
    // The client takes the answer "your session has ended" for being signed out.
    expect(answers.map(({ error }) => error)).toEqual([null, null])
    expect((await lives(session)) && (await lives(seconds))).toBe(false)
    expect((await lives(session)) || (await lives(seconds))).toBe(true)
  })

  slow.test('dana ends her sessions everywhere twenty times and can still sign in', async () => {
    const { email } = await newMember()
    for (let times = 0; times < 20; times++) {
      const { client } = await signIn(email)
      await client.signOut({ scope: 'global' })
    }
    const { session } = await signIn(email)
    expect(claimsOf(session).session_generation).toBe(20)
    expect(await lives(session)).toBe(true)
  })

  test('lifting a suspension doesn’t bring old sessions back', async () => {
    const { email, id, session } = await newMember()
    const token = site.tokens.signForService(60)
    const suspend = (ban_duration: string) =>
      site.call(`/auth/v1/admin/users/${id}`, {
        method: 'PUT',
        token,
        body: JSON.stringify({ ban_duration }),
        headers: { 'content-type': 'application/json' },
      })
    expect((await suspend('876000h')).status).toBe(200)
    expect(await lives(session)).toBe(false)
    expect((await suspend('none')).status).toBe(200)
    expect(await lives(session)).toBe(false)
    expect((await refresh(session.refresh_token)).error_code).toBe('refresh_token_not_found')
    expect(await lives((await signIn(email)).session)).toBe(true)
  })

  test('mallory, who signs in with the old password while it changes, is signed out', async () => {
    const { client, id } = await newMember()
    const account = await accountById({ db: outside() } as never, id)
    if (!account) throw new Error('no account')
    await client.updateUser({ password: 'a better horse 10' })
    await site.post()
    const ctx = {
      ...parts(site),
      events: [],
      queue: { enqueue: async () => {}, enqueueing: () => empty },
    }
    const auth = { tokens: site.tokens, exchanges: site.exchanges } as never
    // Its generation was found before the password was looked at.
    const late = await openSession({ ...ctx, auth }, account, 'password', { generation: 0 })
    expect(await lives(late)).toBe(false)
    expect((await refresh(late.refresh_token)).error_code).toBe('refresh_token_not_found')
  })

  test('adding or removing a second factor ends the other sessions, and an operator ends all', async () => {
    const before = await newConfirmed(site)
    const other = await signIn(before.email)
    const { totp, id } = good(await before.client.mfa.enroll({ factorType: 'totp' }))
    expect(totp.secret).toBeTruthy()
    expect(await lives(other.session)).toBe(true)
    await before.client.mfa.unenroll({ factorId: id })
    expect(await lives(other.session)).toBe(true)

    const { email, client, factorId } = await newWithApp(site)
    const own = good(await client.refreshSession()).session as Session
    const half = await signIn(email)
    await client.mfa.unenroll({ factorId })
    await site.post()
    expect([await lives(own), await lives(half.session)]).toEqual([true, false])

    const third = await newWithApp(site)
    const thirds = good(await third.client.refreshSession()).session as Session
    const ctx = {
      ...parts(site),
      events: [],
      queue: { enqueue: async () => {}, enqueueing: () => empty },
    }
    await removeSecondFactors(ctx, third.email)
    expect(await lives(thirds)).toBe(false)
    await site.post()
  })

  test('reauthenticating ends the previous session, even if it happens twice at once', async () => {
    const { session } = await newMember()
    const prove = () =>
      site.call('/auth/v1/reauthenticate', {
        json: { password: PASSWORD },
        token: session.access_token,
      })
    const answers = await Promise.all([prove(), prove()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await lives(session)).toBe(false)
    expect((await refresh(session.refresh_token)).error_code).toBe('refresh_token_not_found')
  })

  test('ada’s session ends after twelve hours, however often it was refreshed', async () => {
    const { id, session } = await newMember()
    await outside().query(sql`insert into admin_users (id) values (${id})`)
    site.forward(11 * HOUR_MS)
    const next = await refresh(session.refresh_token)
    expect(await lives(next)).toBe(true)
    site.forward(HOUR_MS)
    expect((await refresh(next.refresh_token)).error_code).toBe('session_expired')
    // The limit stays when she's no longer an administrator.
    await outside().query(sql`delete from admin_users where id = ${id}`)
    expect((await refresh(next.refresh_token)).error_code).toBe('refresh_token_not_found')
    site.forward(-12 * HOUR_MS)
  })

  test('a deleted account’s tokens stop working', async () => {
    const { id, session } = await newMember()
    await outside().query(sql`delete from accounts where id = ${id}`)
    expect(await lives(session)).toBe(false)
    expect((await refresh(session.refresh_token)).error_code).toBe('refresh_token_not_found')
  })
})

describe('several processes, and one that restarts', () => {
  const others: { stop(): unknown }[] = []
  afterEach(async () => {
    for (const part of others.splice(0)) await part.stop()
  })

  /** A process more, whose clock stands where that of the first does. */
  async function newProcess() {
    const more = await openAuthSite(outside())
    more.forward(site.now().getTime() - more.now().getTime())
    return more
  }
  async function talking(...processes: AuthSite[]) {
    for (const one of processes) {
      const part = broadcastExchanges({ db: outside(), secrets: testSecrets }, one.exchanges)
      await part.start()
      others.push(part)
    }
  }

  test('two processes exchange one token at once and give the same new one', async () => {
    const second = await newProcess()
    const { session } = await newMember()
    const [here, there] = await Promise.all([
      refresh(session.refresh_token),
      refresh(session.refresh_token, second),
    ])
    expect([here.status, there.status]).toEqual([200, 200])
    expect(here.refresh_token).toBe(there.refresh_token)
  })

  test('a stolen token that comes to the other process a minute later ends the session for both', async () => {
    const second = await newProcess()
    await talking(site, second)
    const { session } = await newMember()
    const next = await refresh(session.refresh_token)
    await statusOf(next)
    await expect
      .poll(() => [...second.exchanges.all(second.now())].map(({ isUsed }) => isUsed))
      .toEqual([true])
    second.forward(MINUTE_MS)
    expect((await refresh(session.refresh_token, second)).error_code).toBe(
      'refresh_token_already_used',
    )
    expect(await statusOf(next, second)).toBe(401)
    expect(await lives(next)).toBe(false)
    expect((await refresh(next.refresh_token)).error_code).toBe('refresh_token_not_found')
  })

  test('dana’s answer is lost, the site restarts, and she asks again an hour later: she stays in', async () => {
    const { session } = await newMember()
    const lost = await refresh(session.refresh_token)
    await writeExchanges(parts(site), site.exchanges)
    const next = await newProcess()
    await readExchanges(parts(next), next.exchanges)
    next.forward(HOUR_MS)
    const again = await refresh(session.refresh_token, next)
    expect(readToken(testSecrets, again.refresh_token)?.number).toBe(
      readToken(testSecrets, lost.refresh_token)?.number,
    )
    expect(await statusOf(again, next)).toBe(200)
    expect((await refresh(session.refresh_token, next)).error_code).toBe(
      'refresh_token_already_used',
    )
  })

  slow.test(
    'processes send each other sealed texts of one size, for one exchange or sixty',
    async () => {
      const heard: string[] = []
      await outside().listen('session_news', (payload) => payload && heard.push(payload))
      await talking(site)
      const { session } = await newMember()
      let token = session.refresh_token
      token = (await refresh(token)).refresh_token
      await expect.poll(() => heard).toHaveLength(1)
      for (let times = 0; times < 60; times++) token = (await refresh(token)).refresh_token
      await expect.poll(() => heard.length).toBeGreaterThan(1)
      expect(new Set(heard.map((payload) => payload.length)).size).toBe(1)
      expect(heard[0]?.length).toBeLessThan(8_000)
    },
  )

  test('after a graceful stop the next process knows every number, and no one can read the row', async () => {
    const { session } = await newMember()
    const { session: unused } = await newMember()
    const next = await refresh(session.refresh_token)
    await statusOf(next)
    const part = storeExchanges(parts(site), site.exchanges, (error) => {
      throw error
    })
    await part.start()
    await part.stop()
    const [row] = await outside().query<{ sealed: string }>(
      sql`select sealed from refresh_token_replays`,
    )
    expect(row?.sealed).toMatch(/^2\.[\w-]+$/)

    const second = await newProcess()
    const began = storeExchanges(parts(second), second.exchanges, () => {})
    await began.start()
    others.push(began)
    // A second tab that asks as soon as the site is back.
    expect((await refresh(session.refresh_token, second)).refresh_token).toBe(next.refresh_token)
    second.forward(MINUTE_MS)
    expect((await refresh(session.refresh_token, second)).error_code).toBe(
      'refresh_token_already_used',
    )
    expect((await refresh(unused.refresh_token, second)).status).toBe(200)
  })

  test('thousands of exchanges are written and read in batches, and none is lost', async () => {
    const full = await newProcess()
    const newest = await newProcess()
    for (let n = 0; n < 12_000; n++)
      full.exchanges.exchange({ sessionId: `session ${n}`, number: n }, full.now())
    await writeExchanges(parts(full), full.exchanges)
    await writeExchanges(parts(newest), newest.exchanges)
    const read = await newProcess()
    await readExchanges(parts(read), read.exchanges)
    read.forward(MINUTE_MS)
    for (const n of [0, 4_999, 5_000, 11_999])
      for (const one of [newest, read])
        expect(
          one.exchanges.exchange({ sessionId: `session ${n}`, number: n - 1 }, read.now()),
        ).toBe(undefined)
  })

  test('two processes that write in turn keep each other’s exchanges', async () => {
    const second = await newProcess()
    const [{ session: danas }, { session: erins }] = [await newMember(), await newMember()]
    await statusOf(await refresh(danas.refresh_token))
    await statusOf(await refresh(erins.refresh_token, second), second)
    await Promise.all([
      writeExchanges(parts(site), site.exchanges),
      writeExchanges(parts(second), second.exchanges),
    ])
    const third = await newProcess()
    await readExchanges(parts(third), third.exchanges)
    third.forward(MINUTE_MS)
    for (const { refresh_token } of [danas, erins])
      expect((await refresh(refresh_token, third)).error_code).toBe('refresh_token_already_used')
  })

  test('after a crash, what was written is known, and later exchanges are found on their next use', async () => {
    const { session } = await newMember()
    const second = await refresh(session.refresh_token)
    await writeExchanges(parts(site), site.exchanges)
    const third = await refresh(second.refresh_token)

    const crashed = await newProcess()
    await readExchanges(parts(crashed), crashed.exchanges)
    crashed.forward(MINUTE_MS)
    // Stolen since the last writing: the thief gets a successor, the same that dana has.
    const thiefs = await refresh(second.refresh_token, crashed)
    expect(thiefs.status).toBe(200)
    expect(readToken(testSecrets, thiefs.refresh_token)?.number).toBe(2)
    // The second of the two to use it ends the session for both.
    const fourth = await refresh(third.refresh_token, crashed)
    expect(await statusOf(fourth, crashed)).toBe(200)
    crashed.forward(MINUTE_MS)
    expect((await refresh(thiefs.refresh_token, crashed)).error_code).toBe(
      'refresh_token_already_used',
    )
    expect(await lives(third)).toBe(false)
  })

  test('after a crash, a token from before the last write counts as stolen', async () => {
    const { session } = await newMember()
    const next = await refresh(session.refresh_token)
    await statusOf(next)
    site.forward(MINUTE_MS)
    await writeExchanges(parts(site), site.exchanges)
    site.forward(-MINUTE_MS)
    const crashed = await newProcess()
    await readExchanges(parts(crashed), crashed.exchanges)
    expect((await refresh(session.refresh_token, crashed)).error_code).toBe(
      'refresh_token_already_used',
    )
    expect(await lives(next)).toBe(false)
  })
})

describe('a mailed link', () => {
  test('a mailed link works until its row’s day is over', async () => {
    const { id, email } = await newMember()
    const sent = async (overOn: string) => {
      const token = randomBytes(32).toString('base64url')
      const hash = createHash('sha256').update(token).digest('base64url')
      await outside().query(sql`
        insert into one_time_tokens (token_hash, account_id, kind, method, over_on)
        values (${hash}, ${id}, 'recovery', 'recovery', ${overOn})`)
      return token
    }
    const day = (from: number) =>
      new Date(site.now().getTime() + from * 24 * HOUR_MS).toISOString().slice(0, 10)
    const open = (token_hash: string) => site.client().verifyOtp({ token_hash, type: 'recovery' })
    expect((await open(await sent(day(-1)))).error?.code).toBe('otp_expired')
    expect(good(await open(await sent(day(0)))).user?.email).toBe(email)
  })
})
