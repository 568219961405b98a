/** Ratings with a badge on a real database: "verified employee", once enough colleagues have one. D64. */

import sql from 'sql-template-tag'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { slow } from '#tests/support/amounts.ts'
import { withDatabase } from '#tests/support/database.ts'
import {
  apart,
  badgeFor,
  type Holder,
  holderFor,
  keyOf,
  presented,
  removing,
} from '#tests/support/holders.ts'
import { issuerOn } from '#tests/support/issuer.ts'
import { aRating, settledRater } from '#tests/support/raters.ts'
import { presentedHandlers } from '../feature.server.ts'
import { publishRatingsOfTheDay } from '../publication.server.ts'
import { companyNotes, companyRatings } from '../rating-queries.server.ts'
import { ratePresented, removeByKeys } from './presented-commands.server.ts'

const { as } = withDatabase()
const settings = { minShown: 1, ratingBatch: 1 }
let today = '2026-03-14'
const issuer = issuerOn(() => today)
afterAll(() => issuer.stop())
afterEach(() => {
  today = '2026-03-14'
})

const DOMAIN = 'acme.example'
const given = (over = {}) => aRating({ rto: 4, ...over })

async function company({ db }: Ctx, name = 'Acme') {
  const [row] = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key, website)
    values (${name}, ${name.toLowerCase()}, ${`https://www.${name.toLowerCase()}.example`}) returning id`)
  return row?.id as string
}

interface Employee {
  holder: Holder
  badge: Holder
}

/** A member of their own, with an address at the company. */
async function employee(ctx: Ctx, companyId: string, n: number): Promise<Employee> {
  const who = await settledRater(ctx, n)
  const holder = await holderFor(who, issuer)
  const email = `person${n}@acme.example`
  const badge = await badgeFor(who, issuer, { holder, companyId, domain: DOMAIN, email })
  return { holder, badge }
}

const rate = (ctx: Ctx, companyId: string, { holder }: Employee, rating = given()) =>
  ratePresented(apart(ctx), presented(holder, companyId, rating), issuer, settings)
const withBadge = (companyId: string, { badge }: Employee, rating = given(), domain = DOMAIN) =>
  presented(badge, companyId, rating, [], { domain })
const rateBadged = (ctx: Ctx, companyId: string, one: Employee, rating = given()) =>
  ratePresented(apart(ctx), withBadge(companyId, one, rating), issuer, settings)
const ratingByKey = async (ctx: Ctx, companyId: string, { holder }: Employee) =>
  (
    await presentedHandlers(issuer, settings)['POST /api/v1/companies/{id}/rating-by-key'](
      apart(ctx),
      { params: { id: companyId }, query: undefined, body: { keys: [keyOf(holder, companyId)] } },
    )
  ).rating
const openDomain = ({ db }: Ctx, domain = DOMAIN) =>
  db.query(sql`insert into badge_domains values (${domain})`)

describe('a rating with a badge', () => {
  test('a badged rating is verified for its author at once, and for everyone once the domain shows', () =>
    as('dana', async (ctx) => {
      const id = await company(ctx)
      const one = await employee(ctx, id, 1)
      const { rating } = await rateBadged(ctx, id, one, given({ note: 'So it is' }))
      expect(rating?.badge).toEqual({ domain: DOMAIN, isShown: false })
      expect((await companyNotes(ctx, id)).notes).toMatchObject([{ isVerified: false }])
      expect((await companyNotes(ctx, id, { verified: 'yes' })).notes).toEqual([])
      await openDomain(ctx, 'another.example')
      expect((await companyNotes(ctx, id)).notes).toMatchObject([{ isVerified: false }])
      await openDomain(ctx)
      expect((await companyNotes(ctx, id)).notes).toMatchObject([{ isVerified: true }])
      expect((await companyNotes(ctx, id, { verified: 'yes' })).notes).toHaveLength(1)
      expect(await ratingByKey(ctx, id, one)).toMatchObject({
        badge: { domain: DOMAIN, isShown: true },
      })
    }))

  test('a badged rating is still the person’s only one, and loses the badge if changed without it', () =>
    as('dana', async (ctx) => {
      const id = await company(ctx)
      await openDomain(ctx)
      const one = await employee(ctx, id, 1)
      const { rating: first } = await rate(ctx, id, one, given({ note: 'Words' }))
      expect(first?.badge).toBeNull()
      const { rating: second } = await rateBadged(ctx, id, one, given({ note: 'Words' }))
      expect(second).toMatchObject({ id: first?.id, badge: { domain: DOMAIN } })
      expect((await companyNotes(ctx, id)).notes).toMatchObject([{ isVerified: true }])
      const { rating: third } = await rate(ctx, id, one, given({ note: 'Words' }))
      expect(third).toMatchObject({ id: first?.id, badge: null })
      expect((await companyNotes(ctx, id)).notes).toMatchObject([{ isVerified: false }])
      await rateBadged(ctx, id, one)
      await removeByKeys(apart(ctx), id, removing(one.holder, id), settings)
      expect(await ctx.db.query(sql`select from ratings where badge_domain is not null`)).toEqual(
        [],
      )
    }))

  slow.test('a badged rating becomes public with others, and so does its badge', () =>
    as('dana', async (ctx) => {
      const id = await company(ctx)
      await openDomain(ctx)
      const together = { minShown: 1, ratingBatch: 2 }
      const [one, two] = [await employee(ctx, id, 1), await employee(ctx, id, 2)]
      for (const { holder } of [one, two])
        await ratePresented(
          apart(ctx),
          presented(holder, id, given({ note: 'Words' })),
          issuer,
          together,
        )
      await publishRatingsOfTheDay(ctx, together)
      const verified = async () =>
        (await companyNotes(ctx, id)).notes.filter(({ isVerified }) => isVerified).length
      const give = (who: Employee) =>
        ratePresented(apart(ctx), withBadge(id, who, given({ note: 'Words' })), issuer, together)
      await give(one)
      await publishRatingsOfTheDay(ctx, together)
      expect(await verified()).toBe(0)
      await give(two)
      await publishRatingsOfTheDay(ctx, together)
      expect(await verified()).toBe(2)
    }),
  )

  test('a badged rating has its holder’s tag, so a lent badge changes the lender’s rating', () =>
    as('dana', async (ctx) => {
      const id = await company(ctx)
      const [one, two] = [await employee(ctx, id, 1), await employee(ctx, id, 2)]
      await rate(ctx, id, one)
      const { rating: own } = await rate(ctx, id, two, given({ rto: 2 }))
      const { rating: lent } = await rateBadged(
        ctx,
        id,
        { ...one, badge: two.badge },
        given({ rto: 1 }),
      )
      expect(lent?.id).toBe(own?.id)
      expect(await companyRatings(ctx, id, settings)).toMatchObject({ ratings: 2 })
      // Nor does it help to put another secret into it.
      const forged = {
        ...one,
        badge: { ...two.badge, credential: { ...two.badge.credential, m1: one.holder.m1 } },
      }
      await expect(rateBadged(ctx, id, forged)).rejects.toMatchObject({ status: 400 })
    }))

  test('a badged rating is refused if its badge is forged, another company’s, or two quarters old', () =>
    as('dana', async (ctx) => {
      const id = await company(ctx)
      const globex = await company(ctx, 'Globex')
      const one = await employee(ctx, id, 1)
      const good = withBadge(id, one)
      const { badge: _, ...without } = good
      const send = (sent: typeof good) => ratePresented(apart(ctx), sent, issuer, settings)
      for (const wrong of [
        // A credential for ratings is no badge, and a badge is none for ratings.
        presented(one.holder, id, given(), [], { domain: DOMAIN }),
        without as typeof good,
        { ...good, rating: { ...good.rating, rto: 5 as const } },
        { ...good, quarter: '2025-Q4' },
      ])
        await expect(send(wrong)).rejects.toMatchObject({ status: 400 })
      for (const wrong of [
        withBadge(globex, one),
        withBadge(id, one, given(), 'globex.example'),
        { ...good, badge: { domain: 'globex.example' } },
      ])
        await expect(send(wrong)).rejects.toMatchObject({ status: 409 })
      await expect(send(withBadge(globex, one, given(), 'globex.example'))).rejects.toMatchObject({
        status: 400,
      })
      await ctx.db.query(sql`update companies set website = 'https://acme.test' where id = ${id}`)
      await expect(send(good)).rejects.toMatchObject({ status: 409 })
      await ctx.db.query(
        sql`update companies set website = 'https://acme.example' where id = ${id}`,
      )
      today = '2026-06-30'
      await send(good)
      today = '2026-07-01'
      await expect(send(good)).rejects.toMatchObject({ status: 400 })
    }))
})

describe('the score of verified employees', () => {
  const HOLDERS = 10
  /** To what is public, each is a row. */
  async function raters(ctx: Ctx, id: string, badged: number, others: number) {
    for (let n = 0; n < badged + others; n++) {
      const isVerified = n < badged
      await ctx.db.query(sql`
        insert into public_ratings (id, company_id, month, rto, note, note_html, badge_domain)
        values (gen_random_uuid(), ${id}, '2026-03-01', ${isVerified ? 2 : 5}, '', '',
                ${isVerified ? DOMAIN : null})`)
    }
    await ctx.db.query(sql`
      insert into rating_months (company_id, month, ratings) values (${id}, '2026-03-01', ${badged + others})`)
  }
  const verified = async (ctx: Ctx, id: string) =>
    (await companyRatings(ctx, id, settings)).verified

  test('the score of verified employees shows from ten on, with enough others', () =>
    as('dana', async (ctx) => {
      const id = await company(ctx)
      await raters(ctx, id, HOLDERS, 6)
      expect(await verified(ctx, id)).toBeNull()
      await openDomain(ctx)
      expect(await verified(ctx, id)).toEqual({ ratings: HOLDERS, score: 2 })
    }))

  test('the score of verified employees doesn’t show for nine, or if it’d reveal what four others gave', () =>
    as('dana', async (ctx) => {
      const [nine, four] = [await company(ctx), await company(ctx, 'Globex')]
      await openDomain(ctx)
      await raters(ctx, nine, HOLDERS - 1, 6)
      expect(await verified(ctx, nine)).toBeNull()
      await raters(ctx, four, HOLDERS, 4)
      expect(await verified(ctx, four)).toBeNull()
    }))
})
