/** Which benefits people have, on a real database: once per person, company and year, and no one learns whose they are. */
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { mergeCompany } from '#app/companies/merging/merge-commands.server.ts'
import { loadStarterCompanies } from '#app/companies/starter-companies.server.ts'
import { eventsOf } from '#app/main.features.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { aBenefits, benefitsOf } from '#tests/support/benefits.ts'
import { withDatabase } from '#tests/support/database.ts'
import {
  apart,
  type Holder,
  holderFor,
  presentedBenefits,
  removingPay,
} from '#tests/support/holders.ts'
import { issuerOn } from '#tests/support/issuer.ts'
import { settledRater } from '#tests/support/raters.ts'
import { BENEFITS_REFUSALS, benefitsSubject } from './benefits.ts'
import {
  giveBenefits,
  removeBenefits,
  removeBenefitsOf,
  sweepRemovedBenefits,
} from './benefits-commands.server.ts'
import type { BenefitsInput } from './benefits-input.ts'
import { publishBenefits } from './benefits-publication.server.ts'
import { companyBenefits } from './benefits-queries.server.ts'
import { loadStarterBenefits } from './starter-benefits.server.ts'

const { as, castOn, outside } = withDatabase()
const issuer = issuerOn(() => '2026-03-14')
afterAll(() => issuer.stop())

const give = (ctx: Ctx, holder: Holder, companyId: string, benefits: BenefitsInput, version = 1) =>
  giveBenefits(apart(ctx), presentedBenefits(holder, companyId, benefits, version), issuer)
const remove = (ctx: Ctx, holder: Holder, companyId: string, version: number) =>
  removeBenefits(
    apart(ctx),
    companyId,
    removingPay(holder, benefitsSubject(companyId, 2026), version),
  )
const entries = ({ db }: Ctx) =>
  db.query<{ has: string[] | null }>(sql`
    select company_id as "companyId", year, has, uses, leave_weeks as leave, days_off as days, version
      from benefit_entries order by year, days_off nulls last`)

async function company({ db }: Ctx, name: string) {
  const [row] = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key, website)
    values (${name}, ${name.toLowerCase()}, ${`https://${name.toLowerCase()}.example`}) returning id`)
  return row?.id as string
}

describe('a year’s benefits', () => {
  test('are kept once per company and year, in alphabetical order, and a second entry changes them', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      const has = ['staff-discount', 'company-pension']
      expect(await give(ctx, holder, id, aBenefits({ has, uses: has }))).toEqual({ version: 1 })
      await give(ctx, holder, id, aBenefits({ year: 2025, leaveWeeks: null }))
      expect(await give(ctx, holder, id, aBenefits({ has, uses: [] }), 2)).toEqual({ version: 2 })
      expect(await entries(ctx)).toMatchObject([
        { year: 2025, leave: null, days: 28 },
        { year: 2026, has: ['company-pension', 'staff-discount'], uses: [], leave: 16, version: 2 },
      ])
      await give(ctx, await holderFor(await settledRater(ctx, 1), issuer), id, aBenefits())
      expect(await entries(ctx)).toHaveLength(3)
    }))

  test('are refused with a sentence if they’re impossible, or their proof is for something else', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      await expect(give(ctx, holder, id, aBenefits({ leaveWeeks: 400 }))).rejects.toMatchObject({
        status: 400,
        message: BENEFITS_REFUSALS.leave,
      })
      await expect(
        give(ctx, holder, id, aBenefits({ has: ['Petra Muster'], uses: [] })),
      ).rejects.toMatchObject({ message: BENEFITS_REFUSALS.unknown })
      const good = presentedBenefits(holder, id, aBenefits(), 1)
      for (const bad of [
        { ...good, benefits: aBenefits({ daysOff: 30 }) },
        { ...good, benefits: aBenefits({ year: 2025 }) },
        { ...good, version: 2 },
        { ...good, quarter: '2025-Q4' },
        { ...good, companyId: await company(ctx, 'Other') },
      ])
        await expect(giveBenefits(apart(ctx), bad, issuer)).rejects.toMatchObject({
          status: 400,
          message: BENEFITS_REFUSALS.invalidProof,
        })
      expect(await entries(ctx)).toEqual([])
    }))

  test('are emptied by their holder only, and no recorded request brings them back or takes them away', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      const recorded = presentedBenefits(holder, id, aBenefits(), 1)
      const again = () => giveBenefits(apart(ctx), recorded, issuer)
      expect(await again()).toEqual({ version: 1 })
      // Sent once more after a lost response, it's the same.
      expect(await again()).toEqual({ version: 1 })
      await give(ctx, holder, id, aBenefits({ daysOff: 30 }), 2)
      expect(await again()).toEqual({ version: 2, isOther: true })
      expect(await remove(ctx, holder, id, 1)).toEqual({ version: 2, isOther: true })
      const stranger = await holderFor(await settledRater(ctx, 1), issuer)
      await expect(remove(ctx, stranger, id, 2)).rejects.toMatchObject({ status: 404 })
      expect(await remove(ctx, holder, id, 2)).toEqual({ version: 2 })
      expect(await again()).toEqual({ version: 2, isOther: true })
      expect(await entries(ctx)).toMatchObject([{ has: null, uses: null, days: null, version: 2 }])
      await sweepRemovedBenefits(ctx.db, '2026-06-30')
      expect(await entries(ctx)).toHaveLength(1)
      await sweepRemovedBenefits(ctx.db, '2026-07-01')
      expect(await entries(ctx)).toEqual([])
    }))

  test('move with their company in a merge, and their holder can change and remove them there', () =>
    as('vera', async (ctx) => {
      const events = eventsOf({
        config: { ...readConfig({}), minShown: 1, ratingBatch: 1 } as never,
      })
      const { dana, ada } = castOn({ ...ctx, events })
      const [into, from] = [await giveErinHerCompany(ctx.db), await company(ctx, 'Former')]
      const holder = await holderFor(dana, issuer)
      const other = await holderFor(await settledRater(dana, 1), issuer)
      for (const one of [holder, other]) await give(dana, one, from, aBenefits({ daysOff: 20 }))
      await mergeCompany(ada, { from, into })
      await expect(give(dana, holder, from, aBenefits(), 2)).rejects.toMatchObject({ status: 410 })
      const changed = presentedBenefits(holder, into, aBenefits({ daysOff: 30 }), 3, [from])
      await giveBenefits(apart(dana), changed, issuer)
      const shown = [{ companyId: into, days: 20 }, { companyId: into, days: 30 }, { has: null }]
      expect(await entries(dana)).toMatchObject(shown)
      await remove(dana, other, from, 0)
      expect(await entries(dana)).toMatchObject([{ days: 30 }, { has: null }, { has: null }])
    }))
})

test('of two devices at the same moment, the higher number stays', async () => {
  const db = outside()
  const id = await giveErinHerCompany(db)
  try {
    // In a transaction of its own that is rolled back: only what follows is seen by both devices.
    const holder = await as('dana', (ctx) => holderFor(ctx, issuer))
    const ctx = await as('vera', async (ctx) => ({ ...ctx, db }))
    await Promise.all(
      [1, 2, 3, 4].map((n) => give(ctx, holder, id, aBenefits({ daysOff: 20 + n }), n)),
    )
    expect(await entries(ctx)).toMatchObject([{ days: 24, version: 4 }])
  } finally {
    await db.query(sql`delete from benefit_entries where company_id = ${id}`)
    await db.query(sql`delete from companies where id = ${id}`)
  }
})

describe('the numbers', () => {
  test('appear in the nightly run, change with five people’s entries, and go with the company', () =>
    as('vera', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await benefitsOf(ctx, id, 4)
      expect(await publishBenefits(ctx)).toBe(0)
      expect(await companyBenefits(ctx.db, id)).toEqual({
        formerIds: [],
        shares: null,
        leave: null,
        daysOff: null,
        surgeUntil: null,
      })
      await benefitsOf(ctx, id, 4)
      expect(await publishBenefits(ctx)).toBe(1)
      const first = await companyBenefits(ctx.db, id)
      expect(first).toMatchObject({ shares: { year: 2026, entries: 5 }, daysOff: null })
      await benefitsOf(ctx, id, 4)
      expect(await publishBenefits(ctx)).toBe(1)
      // Twelve gave their days off, and four are too few for another share.
      const second = await companyBenefits(ctx.db, id)
      expect(second.shares).toEqual(first.shares)
      expect(second).toMatchObject({
        leave: { median: 16, entries: 10 },
        daysOff: { median: 29, entries: 10 },
      })
      expect(await publishBenefits(ctx)).toBe(0)
      await benefitsOf(ctx, id, 1)
      expect(await publishBenefits(ctx)).toBe(1)
      const third = await companyBenefits(ctx.db, id)
      expect(third).toMatchObject({ shares: { entries: 10 }, daysOff: second.daysOff })
      expect(third.shares?.benefits).toContainEqual({ benefit: 'company-pension', have: 4, use: 2 })
      await removeBenefitsOf(ctx.db, id)
      expect((await companyBenefits(ctx.db, id)).shares).toBeNull()
      expect(await publishBenefits(ctx)).toBe(0)
    }))

  test('are of the last year that enough people gave', () =>
    as('vera', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      await benefitsOf(ctx, id, 12)
      await ctx.db.query(sql`update benefit_entries set year = 2025`)
      await benefitsOf(ctx, id, 6)
      await publishBenefits(ctx)
      expect(await companyBenefits(ctx.db, id)).toMatchObject({
        shares: { year: 2026, entries: 5 },
        daysOff: { year: 2025, entries: 10 },
      })
    }))

  test('of demo companies are there from the start, and real companies have none', () =>
    as('vera', async (ctx) => {
      await loadStarterCompanies(ctx, 'demo')
      expect(await loadStarterBenefits(ctx)).toBeGreaterThan(80)
      expect(await loadStarterBenefits(ctx)).toBe(0)
      const shown = await ctx.db.query<{ demo: boolean; kind: string }>(sql`
        select demo, kind from benefit_cells join companies on companies.id = company_id`)
      expect(shown.every(({ demo }) => demo)).toBe(true)
      expect(shown.length).toBeGreaterThan(10)
      const future = await ctx.db.query(sql`select from benefit_entries where month > '2026-03-01'`)
      expect(future).toEqual([])
    }))
})
