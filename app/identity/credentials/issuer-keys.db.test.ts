/** The issuer's chain of keys on a real database, and its copies elsewhere. */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sealedAddress } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { readIssuerList } from '#app/api/credential/issuer-list.ts'
import { quarterOf } from '#app/api/credential/quarter.ts'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { slow } from '#tests/support/amounts.ts'
import { testSecrets, withDatabase } from '#tests/support/database.ts'
import { type Holder, holderFor, presented } from '#tests/support/holders.ts'
import { issuerOn } from '#tests/support/issuer.ts'
import { settledRater } from '#tests/support/raters.ts'
import { forgetMailboxes } from './credential-commands.server.ts'
import {
  createSiteIssuer,
  derivedIssuerKeys,
  destroyEndedKeys,
  readIssuerKeys,
} from './issuer-keys.server.ts'
import { witnessFindings, writeIssuerList } from './witnesses.server.ts'

const { as, outside } = withDatabase()

/** The site's context with the clock on this day. */
const on = <C extends Pick<Ctx, 'db'>>(ctx: C, day: string) => ({
  ...ctx,
  secrets: testSecrets,
  now: () => new Date(`${day}T12:00:00Z`),
})
const quartersOf = async (ctx: Pick<Ctx, 'db' | 'secrets'>, isWhole = false) =>
  (await readIssuerKeys(ctx))
    .filter(({ privateKey }) => privateKey || !isWhole)
    .map(({ quarter }) => quarter)

async function nightOf(ctx: Ctx, day: string) {
  const then = on(ctx, day)
  await createSiteIssuer(then).list()
  await destroyEndedKeys(then)
  await ctx.db.query(sql`update nightly_run set done_until = ${day}::date`)
}

describe('a quarter’s key', () => {
  test('a quarter’s key is random, made two quarters ahead, and the same for a later process', () =>
    as('vera', async (ctx) => {
      const issuer = createSiteIssuer(on(ctx, '2026-11-25'))
      expect(issuer.digest()).toBe('')
      const list = await issuer.list()
      expect(list).toMatchObject({ quarter: '2026-Q4', witnesses: [] })
      expect(list.keys.map(({ quarter }) => quarter)).toEqual(['2026-Q4', '2027-Q1', '2027-Q2'])
      expect(issuer.digest()).toBe(list.digest)
      expect(await createSiteIssuer(on(ctx, '2026-11-25')).list()).toEqual(list)
      const derived = derivedIssuerKeys(testSecrets, '2026-Q4').publicKey
      expect(list.keys[0]?.publicKey).not.toBe(Buffer.from(derived).toString('base64url'))
      const later = await createSiteIssuer(on(ctx, '2027-01-01')).list()
      expect(later.quarter).toBe('2027-Q1')
      expect(later.keys.slice(0, 3)).toEqual(list.keys)
      expect(later.keys).toHaveLength(4)
    }))

  test('six processes that make a key at once make one', async () => {
    const ctx = on({ db: outside() }, '2026-11-25')
    onTestFinished(async () => {
      await ctx.db.query(sql`delete from issuer_keys`)
    })
    const lists = await Promise.all(Array.from({ length: 6 }, () => createSiteIssuer(ctx).list()))
    expect(new Set(lists.map(({ digest }) => digest)).size).toBe(1)
    expect(lists[0]?.keys).toHaveLength(3)
  })

  test('a quarter’s key opens only with the site’s secret', () =>
    as('vera', async (ctx) => {
      await createSiteIssuer(on(ctx, '2026-11-25')).list()
      const secrets = createSecrets('another secret')
      await expect(readIssuerKeys({ db: ctx.db, secrets })).rejects.toThrow()
    }))

  test('a quarter’s private key goes the night after its last credential ends, and its public key stays listed', () =>
    as('dana', async (ctx) => {
      await ctx.db.query(sql`insert into nightly_run default values on conflict do nothing`)
      await ctx.db.query(sql`update nightly_run set done_until = '2026-03-13'`)
      await createSiteIssuer(on(ctx, '2026-03-14')).list()
      const [stolen] = await readIssuerKeys(ctx)
      for (const day of ['2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30']) {
        await nightOf(ctx, day)
        expect(await quartersOf(ctx, true)).toContain('2026-Q1')
      }
      await nightOf(ctx, '2026-07-01')
      expect(await quartersOf(ctx, true)).toEqual(['2026-Q2', '2026-Q3', '2026-Q4', '2027-Q1'])
      expect((await quartersOf(ctx))[0]).toBe('2026-Q1')
      // Neither a column nor a dead row of the table has it.
      const rows = await ctx.db.query<{ text: string }>(
        sql`select issuer_keys::text from issuer_keys`,
      )
      expect(JSON.stringify(rows)).not.toContain(
        Buffer.from(stolen?.privateKey ?? []).toString('base64url'),
      )
    }))

  test('a key survives the first night after a month without one, because the clock can be a year off', () =>
    as('dana', async (ctx) => {
      await ctx.db.query(sql`insert into nightly_run default values on conflict do nothing`)
      await ctx.db.query(sql`update nightly_run set done_until = '2026-03-13'`)
      await nightOf(ctx, '2026-03-14')
      await nightOf(ctx, '2027-03-14')
      expect(await quartersOf(ctx, true)).toContain('2026-Q1')
      await nightOf(ctx, '2027-03-15')
      expect(await quartersOf(ctx, true)).not.toContain('2026-Q1')
    }))

  test('a site from before the chain keeps its key, so its credentials stay valid', () =>
    as('dana', async (ctx) => {
      await ctx.db.query(sql`
        insert into credential_commitments (account_id, commitment, month)
        select id, ${Buffer.alloc(33, 2)}, '2026-01-01' from accounts limit 1`)
      const { keys } = await createSiteIssuer(on(ctx, '2026-03-14')).list()
      expect(keys.map(({ quarter }) => quarter)).toEqual([
        '2025-Q4',
        '2026-Q1',
        '2026-Q2',
        '2026-Q3',
      ])
      const isDerived = keys.map(
        ({ quarter, publicKey }) =>
          publicKey ===
          Buffer.from(derivedIssuerKeys(testSecrets, quarter).publicKey).toString('base64url'),
      )
      // Browsers know the next quarter's already.
      expect(isDerived).toEqual([true, true, true, false])
    }))
})

test('a credential is issued with a quarter’s key, and worthless once that’s gone', () =>
  as('dana', async (ctx) => {
    let day = '2026-03-14'
    const issuer = createSiteIssuer({ ...ctx, now: () => new Date(`${day}T12:00:00Z`) })
    onTestFinished(() => issuer.stop())
    const holder = await holderFor(ctx, issuer)
    const { quarter, presentation } = presented(holder, '00000000-0000-4000-8000-000000000001', {
      rto: 4,
    } as never)
    expect(presentation).toBeTruthy()
    day = '2026-04-01'
    await ctx.db.query(sql`update issuer_keys set sealed = null where quarter = ${quarter}`)
    const purpose = { kind: 'ratings', quarter } as const
    const context = new Uint8Array(4)
    expect(
      await issuer.verify(purpose, {
        presentationContext: context,
        message: context,
        presentation: Buffer.from(presentation, 'base64url'),
      }),
    ).toBeUndefined()
  }))

describe('one mailbox', () => {
  const KEY = sql`select to_char(month, 'YYYY-MM') as month from credential_commitments`
  /** An account with this address, and what it rates with. */
  async function comes(ctx: Ctx, n: number, email: string, day: string) {
    const then = on(await settledRater(ctx, n), day)
    const { id } = then.actor.account as { id: string }
    const { hash, sealed } = sealedAddress(testSecrets, id, email)
    await ctx.db.query(
      sql`update accounts set email_hash = ${hash}, email_sealed = ${sealed} where id = ${id}`,
    )
    const issuer = issuerOn(() => day)
    onTestFinished(() => issuer.stop())
    return {
      leaves: () => ctx.db.query(sql`delete from accounts where id = ${id}`),
      gets: (before?: Holder) =>
        holderFor(then, issuer, { quarter: quarterOf(day), ...(before && { before }) }),
    }
  }

  test('a mailbox gets one credential until that ends, even with a +tag or after leaving', () =>
    as('dana', async (ctx) => {
      const first = await comes(ctx, 1, 'vic@gmail.com', '2026-03-14')
      await first.gets()
      const tagged = await comes(ctx, 2, 'v.i.c+two@googlemail.com', '2026-03-14')
      await expect(tagged.gets()).rejects.toMatchObject({
        status: 403,
        message: expect.stringContaining(
          'can rate and get badges, or could before it was deleted. This one can from 1 July 2026.',
        ),
      })
      expect(await ctx.db.query(KEY)).toHaveLength(1)
      await first.leaves()
      const again = await comes(ctx, 3, 'vic@gmail.com', '2026-05-01')
      await expect(again.gets()).rejects.toMatchObject({
        status: 403,
        message: expect.stringContaining(
          'can rate and get badges, or could before it was deleted. This one can from 1 July 2026.',
        ),
      })
      await again.leaves()
      // Another one isn't kept waiting.
      await (await comes(ctx, 4, 'vic@home.example', '2026-05-01')).gets()
      const late = await comes(ctx, 5, 'vic@gmail.com', '2026-07-01')
      await late.gets()
    }))

  slow.test('a mailbox keeps its own secret, which keeps others out', () =>
    as('dana', async (ctx) => {
      const first = await (await comes(ctx, 1, 'vic@home.example', '2026-03-14')).gets()
      await (await comes(ctx, 1, 'vic@home.example', '2026-06-10')).gets(first)
      const other = await comes(ctx, 2, 'vic+2@home.example', '2026-07-02')
      await expect(other.gets()).rejects.toMatchObject({
        status: 403,
        message: expect.stringContaining('2026-10-01'),
      })
    }),
  )

  test('only one of a mailbox’s two accounts gets a credential, even at once', async () => {
    const ctx = { ...(await as('dana', async (ctx) => ctx)), db: outside() }
    onTestFinished(async () => {
      await ctx.db.query(
        sql`delete from accounts where made_in_month = '2026-03-01' and root_sealed = 'sealed'`,
      )
      await ctx.db.query(sql`delete from credential_mailboxes`)
    })
    const both = [
      await comes(ctx, 1, 'vic@home.example', '2026-03-14'),
      await comes(ctx, 2, 'vic+2@home.example', '2026-03-14'),
    ]
    const got = await Promise.allSettled(both.map(({ gets }) => gets()))
    expect(got.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await ctx.db.query(sql`select from credential_mailboxes`)).toHaveLength(1)
  })

  slow.test('a mailbox is forgotten once the next quarter has ended', () =>
    as('dana', async (ctx) => {
      await (await comes(ctx, 1, 'vic@home.example', '2026-03-14')).gets()
      const left = async (day: string) => {
        await forgetMailboxes(on(ctx, day))
        return (await ctx.db.query(sql`select from credential_mailboxes`)).length
      }
      expect(await left('2026-06-30')).toBe(1)
      expect(await left('2026-07-01')).toBe(0)
    }),
  )
})

describe('a witness', () => {
  async function serve(answer: RequestListener) {
    const server = createServer(answer).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.json`
  }

  test('a witness serves the file that one command writes, and the doctor compares it', () =>
    as('vera', async (ctx) => {
      const folder = await mkdtemp(join(tmpdir(), 'kettle-issuer-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const path = join(folder, 'list.json')
      const then = on(ctx, '2026-03-14')
      const issuer = createSiteIssuer(then)
      const said = await writeIssuerList(issuer, path)
      expect(said).toContain((await issuer.list()).digest)
      const text = await readFile(path, 'utf8')
      expect(readIssuerList(text)).toEqual(await issuer.list())
      const witness = await serve((_, reply) => reply.end(text))
      expect(await witnessFindings(issuer, [witness])).toMatchObject([
        { level: 'ok', sentence: `The witness ${witness} has the same issuer keys.` },
      ])
      // Half a year on, without another publication.
      const half = createSiteIssuer(on(ctx, '2026-12-01'))
      expect(await witnessFindings(half, [witness])).toMatchObject([
        { level: 'warning', sentence: expect.stringContaining('doesn’t have the current quarter') },
      ])
      // A database that forgot the chain.
      await ctx.db.query(sql`delete from issuer_keys`)
      expect(await witnessFindings(createSiteIssuer(then), [witness])).toMatchObject([
        { level: 'problem', sentence: expect.stringContaining('differ from this site') },
      ])
    }))

  test.each<[string, RequestListener]>([
    ['serves something else', (_, reply) => reply.end('<!doctype html>')],
    ['redirects', (_, reply) => reply.writeHead(302, { location: '/elsewhere' }).end()],
    ['breaks off', (request) => request.destroy()],
    [
      'breaks off in the middle',
      (_, reply) => {
        reply.writeHead(200, { 'content-length': 100 })
        reply.write('{', () => reply.destroy())
      },
    ],
  ])('a witness that %s gets a warning', (_, answer) =>
    as('vera', async (ctx) => {
      const witness = await serve(answer)
      expect(
        await witnessFindings(createSiteIssuer(on(ctx, '2026-03-14')), [witness]),
      ).toMatchObject([{ level: 'warning', sentence: expect.stringContaining(witness) }])
    }),
  )
})
