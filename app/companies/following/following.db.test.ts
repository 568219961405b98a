/** Who follows which company, on a real database. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { visitor } from '#app/api/auth/actor.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { routesOf } from '#tests/support/api.ts'
import { ctxAs, stranger } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import { followHandlers } from './feature.server.ts'
import { followContract } from './follow.contract.ts'
import { chooseAlerts, follow, forgetFollower, unfollow } from './follow-commands.server.ts'
import { followedIds, followsExport, myFollows } from './follow-queries.server.ts'
import { FOLLOWS_MAX } from './following.ts'

const { as } = withDatabase()
test.each(['vera', 'dana', 'erin', 'ada'] as const)(
  '%s follows a company, sees what it alerts about, and unfollows it',
  (name) =>
    as(name, async (ctx) => {
      const acme = await giveErinHerCompany(ctx.db)
      expect(await follow(ctx, acme)).toEqual({ isFollowing: true })
      expect(await follow(ctx, acme)).toEqual({ isFollowing: true })
      expect(await followedIds(ctx)).toEqual({ companyIds: [acme] })
      expect(await myFollows(ctx)).toEqual({
        follows: [
          {
            company: {
              id: acme,
              name: 'Erin and Sons',
              path: '/erin-and-sons',
              category: expect.any(String),
              logoUrl: null,
              rating: null,
            },
            threads: true,
            ratings: true,
            policy: true,
            jobs: true,
            isPaused: false,
          },
        ],
      })
      for (let n = 0; n < 2; n++) expect(await unfollow(ctx, acme)).toEqual({ isFollowing: false })
      expect(await myFollows(ctx)).toEqual({ follows: [] })
    }),
)

test('vera’s choice of alerts stays when she follows a company again', () =>
  as('dana', async (dana) => {
    const acme = await giveErinHerCompany(dana.db)
    await follow(dana, acme)
    await chooseAlerts(dana, acme, { threads: false, isPaused: true })
    expect(await chooseAlerts(dana, acme, { ratings: false, isPaused: false })).toEqual({
      threads: false,
      ratings: false,
      policy: true,
      jobs: true,
      isPaused: false,
    })
    await follow(dana, acme)
    expect((await myFollows(dana)).follows).toMatchObject([{ threads: false, ratings: false }])
  }))

test('dana’s follows can’t be seen or changed by anyone else', () =>
  as('dana', async (dana) => {
    const acme = await giveErinHerCompany(dana.db)
    await follow(dana, acme)
    const other = stranger(dana, 1)
    expect([await myFollows(other), await followedIds(other)]).toEqual([
      { follows: [] },
      { companyIds: [] },
    ])
    await expect(chooseAlerts(other, acme, { threads: false })).rejects.toMatchObject({
      status: 404,
      message: 'You don’t follow this company',
    })
    await unfollow(other, acme)
    expect((await myFollows(dana)).follows).toMatchObject([{ threads: true }])
  }))

test('a browser without an anonymous id follows nothing, and is asked for one', () =>
  as('vera', async (vera) => {
    const acme = await giveErinHerCompany(vera.db)
    const ctx = ctxAs(vera, visitor)
    expect([await myFollows(ctx), await followedIds(ctx)]).toEqual([
      { follows: [] },
      { companyIds: [] },
    ])
    for (const writing of [
      () => follow(ctx, acme),
      () => unfollow(ctx, acme),
      () => chooseAlerts(ctx, acme, { threads: false }),
    ])
      await expect(writing()).rejects.toMatchObject({ status: 401 })
    expect(await vera.db.query(sql`select from follows`)).toEqual([])
  }))

test(`more than ${FOLLOWS_MAX} follows are refused with a sentence, and the existing ones stay`, () =>
  as('dana', async (dana) => {
    const acme = await giveErinHerCompany(dana.db)
    await dana.db.query(sql`
      insert into companies (name, name_key, slug)
      select 'Company ' || n, 'company ' || n, 'company-' || n
        from generate_series(1, ${FOLLOWS_MAX}) n`)
    const others = await dana.db.query<{ id: string }>(sql`
      select id from companies where id <> ${acme}`)
    for (const { id } of others) await follow(dana, id)
    await expect(follow(dana, acme)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('Unfollow one first'),
    })
    const [known] = (await followedIds(dana)).companyIds
    await follow(dana, known as string)
    expect((await myFollows(dana)).follows).toHaveLength(FOLLOWS_MAX)
  }))

test('a deleted company can’t be followed, and has no followers', () =>
  as('dana', async (dana) => {
    await expect(follow(dana, crypto.randomUUID())).rejects.toMatchObject({ status: 404 })
    const acme = await giveErinHerCompany(dana.db)
    await follow(dana, acme)
    await dana.db.query(sql`delete from companies where id = ${acme}`)
    expect(await myFollows(dana)).toEqual({ follows: [] })
    expect(await unfollow(dana, acme)).toEqual({ isFollowing: false })
  }))

test('deleting an account deletes only its own follows, and they can be exported first', () =>
  as('dana', async (dana) => {
    const acme = await giveErinHerCompany(dana.db)
    for (const ctx of [dana, stranger(dana, 1)]) await follow(ctx, acme)
    expect(await followsExport(dana)).toEqual({
      follows: [
        {
          company: 'Erin and Sons',
          companyId: acme,
          threads: true,
          ratings: true,
          policy: true,
          jobs: true,
          isPaused: false,
        },
      ],
    })
    await forgetFollower(dana, rootOf(dana) as Buffer)
    expect(await followsExport(dana)).toEqual({ follows: [] })
    expect((await followsExport(stranger(dana, 1))).follows).toHaveLength(1)
  }))

test('no answer has a key, and bad input gets a 4xx', () =>
  as('dana', async (dana) => {
    const acme = await giveErinHerCompany(dana.db)
    const app = routesOf(followContract, followHandlers, dana)
    const url = `/api/v1/companies/${acme}/follow`
    const put = await app.inject({ method: 'PUT', url, payload: { isFollowing: true } })
    expect([put.statusCode, put.json()]).toEqual([200, { isFollowing: true }])
    const patch = await app.inject({ method: 'PATCH', url, payload: { jobs: false } })
    expect(patch.json()).toMatchObject({ jobs: false, threads: true })
    const list = await app.inject('/api/v1/my/follows')
    expect(list.json().follows).toHaveLength(1)
    const ids = await app.inject('/api/v1/my/follows/ids')
    expect(ids.json()).toEqual({ companyIds: [acme] })
    for (const { body } of [put, patch, list, ids])
      for (const secret of [dana.actor.authorKey, dana.actor.account?.id])
        expect(body).not.toContain(secret)
    for (const [method, payload] of [
      ['PUT', {}],
      ['PUT', { isFollowing: 'yes' }],
      ['PUT', undefined],
      ['PATCH', {}],
      ['PATCH', { threads: null }],
      ['PATCH', { threads: 1 }],
      ['PATCH', { authorKey: 'x' }],
    ] as const)
      expect((await app.inject({ method, url, payload })).statusCode).toBe(400)
    for (const id of ['x', '1', `${acme}%00`])
      expect(
        (
          await app.inject({
            method: 'PUT',
            url: `/api/v1/companies/${id}/follow`,
            payload: { isFollowing: true },
          })
        ).statusCode,
      ).toBe(400)
  }))

test('vera follows and unfollows all the time and has to wait', () =>
  as('dana', async (dana) => {
    const acme = await giveErinHerCompany(dana.db)
    const app = routesOf(followContract, followHandlers, dana, { hasRateLimits: true })
    const codes: number[] = []
    for (let n = 0; n < 121; n++)
      codes.push(
        (
          await app.inject({
            method: 'PUT',
            url: `/api/v1/companies/${acme}/follow`,
            payload: { isFollowing: n % 2 === 0 },
          })
        ).statusCode,
      )
    expect(codes.filter((code) => code === 200)).toHaveLength(120)
    expect(codes.at(-1)).toBe(429)
  }))
