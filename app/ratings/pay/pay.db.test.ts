/** What people are paid, on a real database: once per person, company and year, and no one learns whose it is. */
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { mergeCompany } from '#app/companies/merging/merge-commands.server.ts'
import { eventsOf } from '#app/main.features.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { withDatabase } from '#tests/support/database.ts'
import {
  apart,
  badgeFor,
  type Holder,
  holderFor,
  presentedPay,
  removingPay,
} from '#tests/support/holders.ts'
import { issuerOn } from '#tests/support/issuer.ts'
import { aPay } from '#tests/support/pay.ts'
import { settledRater } from '#tests/support/raters.ts'
import { PAY_REFUSALS, paySubject } from './pay.ts'
import { givePay, removePay, removePayOf, sweepRemovedPay } from './pay-commands.server.ts'
import type { PayInput } from './pay-input.ts'

const { as, castOn, outside } = withDatabase()
const issuer = issuerOn(() => '2026-03-14')
afterAll(() => issuer.stop())

const give = (ctx: Ctx, holder: Holder, companyId: string, pay: PayInput, version = 1) =>
  givePay(apart(ctx), presentedPay(holder, companyId, pay, version), issuer)
const remove = (ctx: Ctx, holder: Holder, companyId: string, version: number) =>
  removePay(apart(ctx), companyId, removingPay(holder, paySubject(companyId, 2026), version))
const entries = ({ db }: Ctx) =>
  db.query<{ base: number | null }>(sql`
    select company_id as "companyId", year, title, area, currency, base::integer, bonus::integer,
           equity::integer, experience, is_verified as "isVerified", version
      from pay_entries order by year, base nulls last`)

async function company({ db }: Ctx, name: string) {
  const [row] = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key, website)
    values (${name}, ${name.toLowerCase()}, ${`https://${name.toLowerCase()}.example`}) returning id`)
  return row?.id as string
}

describe('a year’s pay', () => {
  test('is kept in thousands, once per company and year, and a second one changes it', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      expect(await give(ctx, holder, id, aPay({ base: 84_499, bonus: 700 }))).toEqual({
        version: 1,
      })
      await give(ctx, holder, id, aPay({ year: 2025 }))
      expect(await give(ctx, holder, id, aPay({ base: 91_000 }), 2)).toEqual({ version: 2 })
      expect(await entries(ctx)).toMatchObject([
        { year: 2025, base: 120_000 },
        { year: 2026, base: 91_000, bonus: 10_000, title: 'software-engineer', isVerified: false },
      ])
    }))

  test('of someone else is another entry, and of another company, too', () =>
    as('dana', async (ctx) => {
      const [id, other] = [await giveErinHerCompany(ctx.db), await company(ctx, 'Other')]
      const holder = await holderFor(ctx, issuer)
      await give(ctx, holder, id, aPay())
      await give(ctx, holder, other, aPay())
      await give(ctx, await holderFor(await settledRater(ctx, 1), issuer), id, aPay())
      const rows = await ctx.db.query<{ tag: string; hash: Buffer }>(
        sql`select tag, holder_key_hash as hash from pay_entries`,
      )
      expect(new Set(rows.flatMap(({ tag, hash }) => [tag, hash.toString('hex')])).size).toBe(6)
    }))

  test('counts as verified with the company’s badge, and stays one entry', () =>
    as('dana', async (ctx) => {
      const id = await company(ctx, 'Acme')
      const holder = await holderFor(ctx, issuer)
      const about = { companyId: id, domain: 'acme.example', email: 'dana@acme.example' }
      const badge = await badgeFor(ctx, issuer, { holder, ...about })
      const shown = { badge: { domain: about.domain } }
      await give(ctx, holder, id, aPay())
      await givePay(apart(ctx), presentedPay(badge, id, aPay(), 2, shown), issuer)
      expect(await entries(ctx)).toMatchObject([{ isVerified: true, version: 2 }])
      const other = await company(ctx, 'Other')
      await expect(
        givePay(apart(ctx), presentedPay(badge, other, aPay(), 1, shown), issuer),
      ).rejects.toMatchObject({ status: 409 })
    }))

  test('is refused with a sentence if it’s impossible, or its proof is for something else', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      await expect(give(ctx, holder, id, aPay({ base: 6_200 }))).rejects.toMatchObject({
        status: 400,
        message: 'Is CHF\u00a06,200 a month? Give what you get in a year.',
      })
      await expect(give(ctx, holder, id, aPay({ title: 'Petra Muster' }))).rejects.toMatchObject({
        message: PAY_REFUSALS.chooseTitle,
      })
      const good = presentedPay(holder, id, aPay(), 1)
      for (const bad of [
        { ...good, pay: aPay({ base: 130_000 }) },
        { ...good, pay: aPay({ year: 2025 }) },
        { ...good, version: 2 },
        { ...good, quarter: '2025-Q4' },
        { ...good, holder: good.removal },
        { ...good, companyId: await company(ctx, 'Other') },
      ])
        await expect(givePay(apart(ctx), bad, issuer)).rejects.toMatchObject({
          status: 400,
          message: PAY_REFUSALS.invalidProof,
        })
      expect(await entries(ctx)).toEqual([])
      await ctx.db.query(sql`delete from companies where id = ${id}`)
      await expect(givePay(apart(ctx), good, issuer)).rejects.toMatchObject({ status: 404 })
    }))
})

describe('an entry', () => {
  test('is emptied by its holder, and no recorded request brings it back', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      const recorded = presentedPay(holder, id, aPay(), 1)
      const again = () => givePay(apart(ctx), recorded, issuer)
      expect(await again()).toEqual({ version: 1 })
      // Sent once more after a lost response, it's the same.
      expect(await again()).toEqual({ version: 1 })
      await give(ctx, holder, id, aPay({ base: 130_000 }), 2)
      expect(await again()).toEqual({ version: 2, isOther: true })
      expect(await remove(ctx, holder, id, 2)).toEqual({ version: 2 })
      expect(await again()).toEqual({ version: 2, isOther: true })
      expect(await entries(ctx)).toMatchObject([{ base: null, title: null, version: 2 }])
      await expect(remove(ctx, holder, id, 2)).rejects.toMatchObject({ status: 404 })
    }))

  test('is removed by the key of its last change only, so a recorded removal does nothing', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      await give(ctx, holder, id, aPay(), 1)
      await give(ctx, holder, id, aPay({ base: 130_000 }), 2)
      expect(await remove(ctx, holder, id, 1)).toEqual({ version: 2, isOther: true })
      const stranger = await holderFor(await settledRater(ctx, 1), issuer)
      await expect(remove(ctx, stranger, id, 2)).rejects.toMatchObject({ status: 404 })
      expect(await entries(ctx)).toMatchObject([{ base: 130_000 }])
    }))

  test('leaves no row once no earlier request is valid, and none with a deleted company', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      await give(ctx, holder, id, aPay())
      await give(ctx, holder, id, aPay({ year: 2025 }))
      await remove(ctx, holder, id, 1)
      await sweepRemovedPay(ctx.db, '2026-06-30')
      expect(await entries(ctx)).toHaveLength(2)
      await sweepRemovedPay(ctx.db, '2026-07-01')
      expect(await entries(ctx)).toMatchObject([{ year: 2025 }])
      await removePayOf(ctx.db, id)
      expect(await entries(ctx)).toEqual([])
    }))

  test('moves with its company in a merge, and its holder can change and remove it there', () =>
    as('vera', async (ctx) => {
      const events = eventsOf({
        config: { ...readConfig({}), minShown: 1, ratingBatch: 1 } as never,
      })
      const { dana, ada } = castOn({ ...ctx, events })
      const [into, from] = [await giveErinHerCompany(ctx.db), await company(ctx, 'Former')]
      const holder = await holderFor(dana, issuer)
      const other = await holderFor(await settledRater(dana, 1), issuer)
      for (const one of [holder, other]) await give(dana, one, from, aPay({ base: 80_000 }))
      await mergeCompany(ada, { from, into })
      await expect(give(dana, holder, from, aPay(), 2)).rejects.toMatchObject({ status: 410 })
      const changed = presentedPay(holder, into, aPay({ base: 99_000 }), 3, { former: [from] })
      await givePay(apart(dana), changed, issuer)
      expect(await entries(dana)).toMatchObject([
        { companyId: into, base: 80_000 },
        { companyId: into, base: 99_000 },
        { companyId: into, base: null },
      ])
      await remove(dana, other, from, 0)
      expect(await entries(dana)).toMatchObject([{ base: 99_000 }, { base: null }, { base: null }])
    }))
})

test('of two devices at the same moment, the higher number stays', async () => {
  const db = outside()
  const id = await giveErinHerCompany(db)
  try {
    // In a transaction of its own that is rolled back: only what follows is seen by both devices.
    const holder = await as('dana', (ctx) => holderFor(ctx, issuer))
    const ctx = await as('vera', async (ctx) => ({ ...ctx, db }))
    await Promise.all([1, 2, 3, 4].map((n) => give(ctx, holder, id, aPay({ base: n * 50_000 }), n)))
    expect(await entries(ctx)).toMatchObject([{ base: 200_000, version: 4 }])
  } finally {
    await db.query(sql`delete from pay_entries where company_id = ${id}`)
    await db.query(sql`delete from companies where id = ${id}`)
  }
})
