/** How two processes of a site remember who someone is, and what makes both forget it. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import {
  createRememberedActors,
  type RememberedActors,
} from '#app/api/auth/remembered-actors.server.ts'
import {
  approveClaim,
  revokeClaim,
  withdrawClaim,
} from '#app/companies/claims/claim-commands.server.ts'
import { deleteCompany } from '#app/companies/deletion/company-deletion.server.ts'
import {
  grantAdmin,
  removeSecondFactors,
  revokeAdmin,
} from '#app/identity/accounts/administrators/admin-commands.server.ts'
import {
  deleteUser,
  setSuspended,
} from '#app/identity/accounts/auth-server/account-admin-commands.server.ts'
import {
  addApp,
  good,
  newConfirmed,
  tokenOf,
} from '#app/identity/accounts/second-factors/factor-people.fixture.ts'
import type { ChannelState, OpenDatabase } from '#app/platform/database/database.server.ts'
import { openPostgres } from '#app/platform/database/postgres.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { type AuthSite, linkIn, openAuthSite, PASSWORD } from '#tests/support/auth-site.ts'
import { testSecrets, withDatabase } from '#tests/support/database.ts'
import { databaseAt } from '#tests/support/postgres-cluster.ts'

const { as, outside } = withDatabase()

interface Process {
  site: AuthSite
  /** How often we asked the database who someone is. */
  asked: number
}
let here: Process
let there: Process
const opened: OpenDatabase[] = []
/** Stands still: nothing is let go of because time passes. */
let clock = 1
beforeAll(async () => {
  const [row] = await outside().query<{ name: string }>(sql`select current_database() as name`)
  const url = databaseAt(inject('postgresUrl'), row?.name ?? '')
  const open = async () => {
    const db = await openPostgres({ url, connections: 2 })
    opened.push(db)
    return startProcess(db)
  }
  here = await open()
  there = await open()
})
afterAll(() => Promise.all(opened.map((db) => db.close())))

async function startProcess(db: OpenDatabase): Promise<Process> {
  const remembered = createRememberedActors({ db, secrets: testSecrets }, { now: () => clock })
  await remembered.start()
  const counting: Pick<RememberedActors, 'actorOf'> = {
    actorOf: (claims, find) =>
      remembered.actorOf(claims, () => {
        process.asked++
        return find()
      }),
  }
  const process: Process = { site: await openAuthSite(db, { remembered: counting }), asked: 0 }
  return process
}

const me = ({ site }: Process, token: string) => site.call('/api/v1/me', { token })

/** Whether it had to ask the database who this is. */
async function asks(process: Process, token: string) {
  const before = process.asked
  await me(process, token)
  return process.asked > before
}

async function newDana() {
  const dana = await newConfirmed(here.site)
  await me(here, await tokenOf(dana.client))
  return { ...dana, token: await tokenOf(dana.client) }
}
type Dana = Awaited<ReturnType<typeof newDana>>

/** Both processes know who dana is, and no earlier message is on its way. */
async function remember(token: string) {
  for (const process of [here, there]) await expect.poll(() => asks(process, token)).toBe(false)
}

async function olga(): Promise<Ctx & { auth: never }> {
  const ctx = await as('olga', async (ctx) => ctx)
  return { ...ctx, db: here.site.db, now: () => new Date() } as Ctx & { auth: never }
}

/** Of dana, on a company of its own. */
async function newClaim({ id: accountId }: Dana, status: 'pending' | 'approved') {
  const [id, companyId] = [randomUUID(), randomUUID()]
  const name = `Company ${companyId}`
  await outside().query(sql`
    insert into companies (id, name, name_key, slug, website)
    values (${companyId}, ${name}, ${name.toLowerCase()}, ${`c-${companyId}`}, 'https://acme.example')`)
  await outside().query(sql`
    insert into employer_claims
      (id, account_id, company_id, status, claimed_on, method, domain, is_verified)
    values (${id}, ${accountId}, ${companyId}, ${status}, current_date, 'dns',
            ${status === 'pending' ? 'acme.example' : null}, true)`)
  return { id, companyId, name }
}

test('each process looks dana up once every few seconds', async () => {
  const { token } = await newDana()
  await remember(token)
  clock += 4_999
  expect(await asks(here, token)).toBe(false)
  clock += 2
  expect(await asks(here, token)).toBe(true)
  expect(await asks(there, token)).toBe(true)
})

test('another token of the same session is looked up separately', async () => {
  const { client, token } = await newDana()
  await remember(token)
  good(await client.refreshSession())
  expect(await asks(here, await tokenOf(client))).toBe(true)
})

test('administrators and people before the second step are looked up every time', async () => {
  const dana = await newDana()
  await grantAdmin(await olga(), dana.email)
  expect(await asks(here, dana.token)).toBe(true)
  expect(await asks(here, dana.token)).toBe(true)
  await revokeAdmin(await olga(), dana.email)
  await addApp(here.site, dana.client)
  const half = here.site.client()
  good(await half.signInWithPassword({ email: dana.email, password: PASSWORD }))
  expect(await asks(here, await tokenOf(half))).toBe(true)
  expect(await asks(here, await tokenOf(half))).toBe(true)
})

describe('each process forgets at once', () => {
  const changes: Record<string, (dana: Dana) => Promise<unknown>> = {
    'when she signs out': async ({ client }) => client.signOut({ scope: 'local' }),
    'when she signs out everywhere': async ({ client }) => client.signOut({ scope: 'global' }),
    'when she signs out elsewhere': async ({ email }) => {
      const client = here.site.client()
      good(await client.signInWithPassword({ email, password: PASSWORD }))
      await client.signOut({ scope: 'others' })
    },
    'when a stolen token ends her session': async ({ client }) => {
      const stolen = (await client.getSession()).data.session?.refresh_token
      const { session: newest } = good(await client.refreshSession())
      expect(await asks(here, newest?.access_token ?? '')).toBe(true)
      here.site.forward(60_000)
      const json = { refresh_token: stolen }
      const answer = await here.site.call('/auth/v1/token?grant_type=refresh_token', { json })
      expect(answer.status).toBe(400)
    },
    'when she changes her password': async ({ client }) =>
      good(await client.updateUser({ password: 'another horse 10' })),
    'when she says something else of herself': async ({ client }) =>
      good(await client.updateUser({ data: { user_type: 'employer' } })),
    'when she takes another address': async ({ client }) => {
      good(await client.updateUser({ email: here.site.newAddress() }))
    },
    'when she changes her name': async ({ token }) => {
      const answer = await here.site.call('/api/v1/me/profile', {
        method: 'PATCH',
        token,
        json: { username: `Dana${Date.now() % 1e9}` },
      })
      expect(answer.status).toBe(200)
    },
    'when she sets up a second factor': ({ client }) => addApp(here.site, client),
    'when she is suspended': async ({ id }) =>
      transaction(await olga(), (ctx) => setSuspended(ctx, id, true)),
    'when she is made an administrator': async ({ email }) => grantAdmin(await olga(), email),
    'when she deletes her account': async ({ token }) => {
      const { profile } = await (await me(here, token)).json()
      const json = { confirmation: profile.username, posts: 'keep' }
      const answer = await here.site.call('/api/v1/me/deletion', { token, json })
      expect(answer.status).toBe(200)
    },
    'when her account is deleted': async ({ id }) => deleteUser(await olga(), 'service', id),
    'when she may act for a company': async (dana) => {
      const { id } = await newClaim(dana, 'pending')
      await approveClaim(await olga(), id)
    },
  }
  test.each(Object.entries(changes))('%s', async (_, change) => {
    const dana = await newDana()
    await remember(dana.token)
    await change(dana)
    expect(await asks(here, dana.token)).toBe(true)
    await expect.poll(() => asks(there, dana.token)).toBe(true)
  })

  const losses: Record<string, (dana: Dana, claim: { id: string }) => Promise<unknown>> = {
    'when the right to act for a company is taken from her': async (_, { id }) =>
      revokeClaim(await olga(), id),
    'when she gives it back': async ({ id: accountId }, { id }) => {
      const ctx = await olga()
      const account = { ...ctx.actor.account, id: accountId } as NonNullable<
        Ctx['actor']['account']
      >
      await withdrawClaim({ ...ctx, actor: { ...ctx.actor, account } }, id)
    },
  }
  test.each(Object.entries(losses))('%s', async (_, lose) => {
    const dana = await newDana()
    const claim = await newClaim(dana, 'approved')
    await remember(dana.token)
    await lose(dana, claim)
    expect(await asks(here, dana.token)).toBe(true)
    await expect.poll(() => asks(there, dana.token)).toBe(true)
    expect(await (await me(here, dana.token)).json()).toMatchObject({ role: 'member' })
  })

  test('each process forgets erin at once when the company she acts for is deleted', async () => {
    const dana = await newDana()
    const { companyId, name } = await newClaim(dana, 'approved')
    await remember(dana.token)
    await deleteCompany(await olga(), companyId, name)
    expect(await asks(here, dana.token)).toBe(true)
    await expect.poll(() => asks(there, dana.token)).toBe(true)
  })

  test('each process forgets dana at once when she or an operator removes her second factors', async () => {
    const dana = await newDana()
    const { factorId } = await addApp(here.site, dana.client)
    const token = await tokenOf(dana.client)
    await remember(token)
    good(await dana.client.mfa.unenroll({ factorId }))
    expect(await asks(here, token)).toBe(true)
    await expect.poll(() => asks(there, token)).toBe(true)

    await addApp(here.site, dana.client)
    const again = await tokenOf(dana.client)
    await remember(again)
    await removeSecondFactors(await olga(), dana.email)
    expect(await asks(here, again)).toBe(true)
    await expect.poll(() => asks(there, again)).toBe(true)
  })

  test('each process forgets dana at once when she confirms her address', async () => {
    const client = here.site.client()
    const email = here.site.newAddress()
    const { user } = good(await client.signUp({ email, password: PASSWORD }))
    const mail = (await here.site.post()).find(({ to }) => to.includes(email))
    const token = await tokenOf(client)
    await remember(token)
    const fields = new URLSearchParams(linkIn(mail).searchParams)
    fields.set('known_ids', user?.id ?? '')
    await here.site.call('/auth/v1/verify', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: fields.toString(),
    })
    expect(await asks(here, token)).toBe(true)
    await expect.poll(() => asks(there, token)).toBe(true)
  })
})

describe('which lookups are trusted', () => {
  const claims = { sub: randomUUID(), session_id: randomUUID(), role: 'authenticated', exp: 0 }

  test('a lookup from before a change isn’t remembered after it', async () => {
    const dana = await as('dana', async ({ actor }) => actor)
    const memory = createRememberedActors({ db: outside(), secrets: testSecrets })
    await memory.start()
    let heard = 0
    // After the memory, on the same connection.
    await outside().listen('changed_actors', () => void heard++)
    let asked = 0
    const find = async () => {
      asked++
      return dana
    }
    await memory.actorOf(claims, async () => {
      const { token, client } = await newDana()
      expect(token).not.toBe('')
      const before = heard
      await client.signOut({ scope: 'local' })
      await expect.poll(() => heard).toBeGreaterThan(before)
      return find()
    })
    await memory.actorOf(claims, find)
    expect(asked).toBe(2)
    await memory.actorOf(claims, find)
    expect(asked).toBe(2)
  })

  test('a process without notifications remembers no one, and starts empty when they’re back', async () => {
    const dana = await as('dana', async ({ actor }) => actor)
    let state: ChannelState = 'ok'
    const watchers: ((state: ChannelState) => void)[] = []
    const become = (next: ChannelState) => {
      state = next
      for (const watch of watchers) watch(next)
    }
    const db: OpenDatabase = {
      ...outside(),
      eventChannel: {
        get state() {
          return state
        },
        losses: 0,
        onChange: (watch) => void watchers.push(watch),
      },
    }
    const memory = createRememberedActors({ db, secrets: testSecrets })
    await memory.start()
    let asked = 0
    const ask = async () => {
      const before = asked
      await memory.actorOf(claims, async () => {
        asked++
        return dana
      })
      return asked > before
    }
    expect(await ask()).toBe(true)
    expect(await ask()).toBe(false)
    for (const silent of ['refused', 'deaf'] as const) {
      become(silent)
      expect(await ask()).toBe(true)
      expect(await ask()).toBe(true)
    }
    become('ok')
    expect(await ask()).toBe(true)
    expect(await ask()).toBe(false)
    // A loss too short for a doubt.
    become('ok')
    expect(await ask()).toBe(true)
  })

  test('the notifications name no one, and no two are alike', async () => {
    const told: string[] = []
    await outside().listen('changed_actors', (payload) => void (payload && told.push(payload)))
    const { id, client } = await newDana()
    const { session_id } = JSON.parse(atob((await tokenOf(client)).split('.')[1] as string))
    await client.signOut({ scope: 'global' })
    await expect.poll(() => told.length).toBeGreaterThan(1)
    expect(new Set(told).size).toBe(told.length)
    expect(new Set(told.map(({ length }) => length)).size).toBe(1)
    for (const payload of told)
      for (const known of [id, session_id]) expect(payload).not.toContain(known)
  })
})
