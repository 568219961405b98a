/** Ratings by credentials on a real database: who gave one, not even the keys of the site tell. */
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { randomScalar } from '#app/api/credential/group.ts'
import { present, serializePresentation } from '#app/api/credential/profile.ts'
import { ratingContextOf } from '#app/api/credential/purposes.ts'
import {
  beginCredential,
  renewCredential,
} from '#app/identity/credentials/credential-commands.server.ts'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { withDatabase } from '#tests/support/database.ts'
import {
  apart,
  type Holder,
  holderFor,
  issuingRequestFor,
  keyOf,
  presented,
  removing,
} from '#tests/support/holders.ts'
import { issuerOn } from '#tests/support/issuer.ts'
import { aRating, settledRater } from '#tests/support/raters.ts'
import { presentedHandlers } from '../feature.server.ts'
import { publishRatingsOfTheDay } from '../publication.server.ts'
import { messageOf, type RatingInput } from '../rating-input.ts'
import { companyNotes, companyRatings } from '../rating-queries.server.ts'
import { ratingTag } from '../rating-tag.server.ts'
import { ratePresented, removeByKeys } from './presented-commands.server.ts'

const { as, outside } = withDatabase()
const settings = { minShown: 1, ratingBatch: 1 }
let today = '2026-03-14'
const issuer = issuerOn(() => today)
afterAll(() => issuer.stop())

const given = (over = {}) => aRating({ rto: 4, ...over })
const rate = (ctx: Ctx, holder: Holder, companyId: string, rating = given()) =>
  ratePresented(apart(ctx), presented(holder, companyId, rating), issuer, settings)
const ratingByKey = (ctx: Ctx, holder: Holder, companyId: string) =>
  presentedHandlers(issuer, settings)['POST /api/v1/companies/{id}/rating-by-key'](apart(ctx), {
    params: { id: companyId },
    query: undefined,
    body: { keys: [keyOf(holder, companyId)] },
  })
const member = settledRater
async function anotherCompany(ctx: Ctx) {
  const [company] = await ctx.db.query<{ id: string }>(
    sql`insert into companies (name, name_key) values ('Other', 'other') returning id`,
  )
  return company?.id as string
}

describe('a rating that is presented', () => {
  test('a rating has no note if its text is invisible', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      await rate(ctx, holder, id, given({ note: '&nbsp; [](x)' }))
      expect((await companyNotes(ctx, id)).notes).toEqual([])
    }))

  test('a rating counts, is changed by a second one, and can be found and removed by its author', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      const first = await rate(ctx, holder, id, given({ rto: 1 }))
      const second = await rate(ctx, holder, id, given({ rto: 5, note: 'Better **now**' }))
      expect(second).toMatchObject({
        rating: { id: first.rating?.id, rto: 5, month: '2026-03' },
        published: { rto: 5 },
        isUnpublished: false,
      })
      expect(await companyRatings(ctx, id, settings)).toMatchObject({ ratings: 1, score: 5 })
      expect((await companyNotes(ctx, id)).notes).toMatchObject([
        { html: expect.stringContaining('<strong>now') },
      ])
      expect(await ratingByKey(ctx, holder, id)).toMatchObject({ rating: { rto: 5 } })
      await removeByKeys(apart(ctx), id, removing(holder, id), settings)
      expect(await companyRatings(ctx, id, settings)).toMatchObject({ ratings: 0, score: null })
      expect(await ratingByKey(ctx, holder, id)).toMatchObject({
        rating: null,
        published: null,
        isUnpublished: false,
      })
      await expect(
        removeByKeys(apart(ctx), id, removing(holder, id), settings),
      ).rejects.toMatchObject({ status: 404 })
    }))

  test('a rating waits for others, and its author sees what’s waiting', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const together = { minShown: 1, ratingBatch: 2 }
      const holder = await holderFor(ctx, issuer)
      await ratePresented(apart(ctx), presented(holder, id, given()), issuer, together)
      expect(await companyRatings(ctx, id, together)).toMatchObject({ ratings: 0 })
      expect(await ratingByKey(ctx, holder, id)).toMatchObject({
        rating: { rto: 4, month: '2026-03' },
        published: null,
        isUnpublished: true,
      })
      const other = await holderFor(await member(ctx, 1), issuer)
      await ratePresented(apart(ctx), presented(other, id, given({ rto: 2 })), issuer, together)
      await publishRatingsOfTheDay(ctx, together)
      expect(await companyRatings(ctx, id, together)).toMatchObject({ ratings: 2, score: 3 })
      expect(await ratingByKey(ctx, holder, id)).toMatchObject({
        rating: { rto: 4 },
        published: { rto: 4, month: '2026-03' },
        isUnpublished: false,
      })
      // Taken back it waits, too, until it is public no more.
      await removeByKeys(apart(ctx), id, removing(holder, id), together)
      expect(await ratingByKey(ctx, holder, id)).toMatchObject({
        rating: null,
        published: { rto: 4 },
        isUnpublished: true,
      })
    }))

  test('a rating has a tag no key of the site computes from an account, and a different one per company', () =>
    as('dana', async (ctx) => {
      const one = await giveErinHerCompany(ctx.db)
      const other = await anotherCompany(ctx)
      const holder = await holderFor(ctx, issuer)
      await rate(ctx, holder, one)
      await rate(ctx, holder, other)
      const rows = await ctx.db.query<{ tag: string; hash: Buffer; company_id: string }>(
        sql`select tag, holder_key_hash as hash, company_id from ratings`,
      )
      expect(rows).toHaveLength(2)
      expect(new Set(rows.flatMap(({ tag, hash }) => [tag, hash.toString('hex')])).size).toBe(4)
      const account = ctx.actor.account?.id as string
      for (const { tag, company_id } of rows) {
        expect(tag).not.toBe(ratingTag(ctx, account, company_id))
        // It looks as the tags of before do: which of them a row has tells nothing.
        expect(tag).toHaveLength(ratingTag(ctx, account, company_id).length)
      }
    }))

  test('a rating of a deleted or merged company is refused', () =>
    as('dana', async (ctx) => {
      const holder = await holderFor(ctx, issuer)
      const nowhere = '00000000-0000-4000-8000-000000000bad'
      await expect(rate(ctx, holder, nowhere)).rejects.toMatchObject({ status: 404 })
      const id = await giveErinHerCompany(ctx.db)
      await ctx.db.query(sql`
        insert into company_merges (id, company_id, into_id, name, edit_id)
        values (${nowhere}, ${id}, ${id}, 'Was', 1)`)
      await expect(rate(ctx, holder, nowhere)).rejects.toMatchObject({ status: 410 })
    }))

  test('a rating replaces its author’s ratings of companies merged into this one', () =>
    as('dana', async (ctx) => {
      const [into, former] = [await giveErinHerCompany(ctx.db), await anotherCompany(ctx)]
      const holder = await holderFor(ctx, issuer)
      await rate(ctx, holder, former, given({ rto: 1 }))
      await ctx.db.query(sql`update ratings set company_id = ${into}, merged_from = ${former}`)
      await ratePresented(
        apart(ctx),
        presented(holder, into, given({ rto: 5 }), [former]),
        issuer,
        settings,
      )
      expect(
        await ctx.db.query(sql`select rto from ratings where company_id = ${into} and rto > 0`),
      ).toEqual([{ rto: 5 }])
    }))
})

describe('a rating from another device', () => {
  const NOTE = 'It rains inside'
  const knowing = (ctx: Ctx, holder: Holder, id: string, over: RatingInput[], rating = given()) =>
    ratePresented(apart(ctx), presented(holder, id, rating, [], undefined, over), issuer, settings)

  test('another device’s rating stays, and is returned until its author has seen it', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      const first = given({ rto: 1, note: NOTE })
      const second = given({ rto: 5, note: 'It is dry' })
      await knowing(ctx, holder, id, [], first)
      for (const over of [[], [given({ rto: 1 })], [second]])
        expect(await knowing(ctx, holder, id, over, second)).toMatchObject({
          rating: { rto: 1, note: NOTE },
          isOther: true,
        })
      expect((await companyNotes(ctx, id)).notes).toMatchObject([
        { html: expect.stringContaining(NOTE) },
      ])
      const changed = await knowing(ctx, holder, id, [given({ rto: 2 }), first], second)
      expect(changed).toMatchObject({ rating: { rto: 5, note: 'It is dry' } })
      expect(changed.isOther).toBeUndefined()
    }))

  test('another device’s rating needs no answer if it’s the same, sent again or removed', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      for (let n = 0; n < 2; n++)
        expect(
          (await knowing(ctx, holder, id, [], given({ note: ` ${NOTE} ` }))).isOther,
        ).toBeUndefined()
      await removeByKeys(apart(ctx), id, removing(holder, id), settings)
      expect((await knowing(ctx, holder, id, [], given({ rto: 3 }))).rating).toMatchObject({
        rto: 3,
      })
    }))

  test('another device’s rating stays even if it was for a company merged into this one', () =>
    as('dana', async (ctx) => {
      const [into, former] = [await giveErinHerCompany(ctx.db), await anotherCompany(ctx)]
      const holder = await holderFor(ctx, issuer)
      const first = given({ rto: 1, note: NOTE })
      await rate(ctx, holder, former, first)
      await ctx.db.query(sql`update ratings set company_id = ${into}, merged_from = ${former}`)
      const over = (known: RatingInput[]) =>
        ratePresented(
          apart(ctx),
          presented(holder, into, given({ rto: 5 }), [former], undefined, known),
          issuer,
          settings,
        )
      expect(await over([])).toMatchObject({ rating: { rto: 1, note: NOTE }, isOther: true })
      expect(await over([first])).toMatchObject({ rating: { rto: 5, note: '' } })
    }))

  test('two devices’ ratings at the same moment: one counts, and the other device gets it as the answer', async () => {
    const db = outside()
    const id = await giveErinHerCompany(db)
    try {
      // In a transaction of its own that is rolled back: only what follows is seen by both devices.
      const holder = await as('dana', (ctx) => holderFor(ctx, issuer))
      const ctx = await as('vera', async (ctx) => ({ ...ctx, db }))
      for (let n = 0; n < 5; n++) {
        const both = await Promise.all(
          [1, 5].map((rto) => knowing(ctx, holder, id, [], given({ rto }))),
        )
        expect(both.filter(({ isOther }) => isOther)).toHaveLength(1)
        expect(both[0]?.rating?.rto).toBe(both[1]?.rating?.rto)
        await db.query(sql`delete from ratings where company_id = ${id}`)
      }
    } finally {
      await db.query(sql`delete from companies where id = ${id}`)
    }
  })
})

describe('a recorded request', () => {
  test('a recorded request brings back no changed or removed rating while its credential is valid', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      const recorded = presented(holder, id, given({ rto: 1, note: 'In anger' }))
      const again = () => ratePresented(apart(ctx), recorded, issuer, settings)
      expect(await again()).toMatchObject({ rating: { rto: 1 }, version: recorded.version })
      // Sent once more after a lost response, it's the same.
      expect(await again()).toMatchObject({ rating: { rto: 1 }, version: recorded.version })
      const { version } = await rate(ctx, holder, id, given({ rto: 4 }))
      expect(await again()).toMatchObject({ rating: { rto: 4 }, version, isOther: true })
      await removeByKeys(apart(ctx), id, removing(holder, id), settings)
      expect(await again()).toMatchObject({ rating: null, version, isOther: true })
      const night = (day: string) =>
        publishRatingsOfTheDay({ ...ctx, now: () => new Date(`${day}T03:30:00Z`) }, settings)
      await night('2026-03-15')
      await night('2026-06-30')
      expect(await again()).toMatchObject({ rating: null, isOther: true })
      expect(await companyRatings(ctx, id, settings)).toMatchObject({ ratings: 0 })
      // The person can continue with a higher number.
      expect(await rate(ctx, holder, id, given({ rto: 3 }))).toMatchObject({ rating: { rto: 3 } })
      await removeByKeys(apart(ctx), id, removing(holder, id), settings)
      await night('2026-06-30')
      expect(await ctx.db.query(sql`select from ratings`)).toHaveLength(1)
      today = '2026-07-01'
      await expect(again()).rejects.toMatchObject({ status: 400 })
      today = '2026-03-14'
      await night('2026-07-01')
      expect(await ctx.db.query(sql`select from ratings`)).toEqual([])
    }))

  test('a recorded request doesn’t remove a later rating, and neither does the key that finds it', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      await rate(ctx, holder, id, given({ rto: 1 }))
      const recorded = removing(holder, id)
      const remove = (body: typeof recorded | { keys: string[] }) =>
        removeByKeys(apart(ctx), id, body, settings)
      expect(await remove(recorded)).toMatchObject({ rating: null })
      await expect(remove(recorded)).rejects.toMatchObject({ status: 404 })
      const { version } = await rate(ctx, holder, id, given({ rto: 4 }))
      const stays = { rating: { rto: 4 }, version, isOther: true }
      expect(await remove(recorded)).toMatchObject(stays)
      expect(await remove({ keys: recorded.keys })).toMatchObject(stays)
      // Nor may another member say that the rating is one of theirs, to be replaced.
      const other = await holderFor(await member(ctx, 2), issuer)
      const theirs = presented(other, id, given({ rto: 2 }))
      const { presentation: _, ...said } = {
        ...theirs,
        mergedKeys: recorded.keys,
        supersedes: [given()],
      }
      const shown = present(other.credential, ratingContextOf(id), messageOf(said), randomScalar)
      const presentation = Buffer.from(serializePresentation(shown)).toString('base64url')
      await ratePresented(apart(ctx), { ...said, presentation }, issuer, settings)
      expect(await ratingByKey(ctx, holder, id)).toMatchObject({ rating: { rto: 4 }, version })
      expect(await remove(removing(holder, id))).toMatchObject({ rating: null })
    }))

  test('a recorded request names the change that stays, even for a merged company', () =>
    as('dana', async (ctx) => {
      const [into, former] = [await giveErinHerCompany(ctx.db), await anotherCompany(ctx)]
      const holder = await holderFor(ctx, issuer)
      const { version } = await rate(ctx, holder, into, given({ rto: 1 }))
      await rate(ctx, holder, former, given({ rto: 5 }))
      await ctx.db.query(sql`
        update ratings set company_id = ${into}, merged_from = ${former} where company_id = ${former}`)
      const keys = [keyOf(holder, into), keyOf(holder, former)]
      const remove = (of: string) =>
        removeByKeys(apart(ctx), into, { ...removing(holder, of), keys }, settings)
      expect(await remove(former)).toMatchObject({ rating: { rto: 1 }, version, isOther: true })
      expect(await remove(into)).toMatchObject({ rating: null })
      expect(await companyRatings(ctx, into, settings)).toMatchObject({ ratings: 0 })
    }))

  test('a recorded request removes a rating from before there were removal keys, and only that', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      await rate(ctx, holder, id)
      await ctx.db.query(sql`update ratings set removal_key_hash = null`)
      const remove = () => removeByKeys(apart(ctx), id, { keys: [keyOf(holder, id)] }, settings)
      expect(await remove()).toMatchObject({ rating: null })
      await rate(ctx, holder, id)
      expect(await remove()).toMatchObject({ rating: { rto: 4 }, isOther: true })
    }))

  test('a recorded request from a browser without numbers counts once', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      const numbered = presented(holder, id, given({ rto: 2 }))
      const { companyId, quarter, rating, supersedes } = numbered
      const said = {
        companyId,
        quarter,
        holder: numbered.holder,
        mergedKeys: [],
        rating,
        supersedes,
        version: 0,
      }
      const shown = present(holder.credential, ratingContextOf(id), messageOf(said), randomScalar)
      const presentation = Buffer.from(serializePresentation(shown)).toString('base64url')
      const old = { ...said, presentation }
      const send = () => ratePresented(apart(ctx), old, issuer, settings)
      expect(await send()).toMatchObject({ rating: { rto: 2 }, version: 0 })
      await removeByKeys(apart(ctx), id, { keys: [keyOf(holder, id)] }, settings)
      expect(await send()).toMatchObject({ rating: null, isOther: true })
      // Nor is a number left out of what it was proven with.
      await expect(
        ratePresented(apart(ctx), { ...numbered, version: numbered.version + 1 }, issuer, settings),
      ).rejects.toMatchObject({ status: 400 })
    }))
})

describe('a rating that isn’t counted', () => {
  test('a rating that was changed on its way isn’t counted, whatever part changed', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const other = await anotherCompany(ctx)
      const holder = await holderFor(ctx, issuer)
      const good = presented(holder, id, given({ note: 'So it is' }))
      for (const wrong of [
        { ...good, rating: { ...good.rating, rto: 5 as const } },
        { ...good, rating: { ...good.rating, note: 'So it is not' } },
        { ...good, companyId: other },
        { ...good, quarter: '2025-Q4' },
        { ...good, quarter: '2026-Q2' },
        { ...good, holder: Buffer.alloc(32).toString('base64url') },
        { ...good, supersedes: [given({ rto: 1 })] },
        { ...good, mergedKeys: [Buffer.alloc(32).toString('base64url')] },
        { ...good, presentation: Buffer.alloc(260).toString('base64url') },
      ])
        await expect(ratePresented(apart(ctx), wrong, issuer, settings)).rejects.toMatchObject({
          status: 400,
        })
      expect(await ctx.db.query(sql`select from ratings`)).toEqual([])
      await ratePresented(apart(ctx), good, issuer, settings)
    }))

  test('a rating from another issuer’s credential isn’t counted', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const other = issuerOn(() => today, createSecrets('another site'))
      const holder = await holderFor(ctx, other)
      await other.stop()
      await expect(rate(ctx, holder, id)).rejects.toMatchObject({ status: 400 })
    }))

  test('a rating older than the previous quarter isn’t counted', () =>
    as('dana', async (ctx) => {
      const id = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      try {
        today = '2026-06-30'
        await rate(ctx, holder, id)
        today = '2026-07-01'
        await expect(rate(ctx, holder, id)).rejects.toMatchObject({ status: 400 })
        // Renewed over the same secret it changes the same rating.
        const renewed = await holderFor(ctx, issuer, { quarter: '2026-Q3', before: holder })
        await rate(ctx, renewed, id, given({ rto: 2 }))
        expect(await companyRatings(ctx, id, settings)).toMatchObject({ ratings: 1, score: 2 })
      } finally {
        today = '2026-03-14'
      }
    }))

  test('an account’s second rating isn’t counted, because no second secret is issued in any quarter', () =>
    as('dana', async (ctx) => {
      const holder = await holderFor(ctx, issuer)
      const asked = issuingRequestFor(issuer, '2026-Q1', randomScalar())
      const body = { quarter: '2026-Q1', request: asked.request, isAnew: false }
      await expect(beginCredential(ctx, body, issuer)).rejects.toMatchObject({ status: 409 })
      await expect(beginCredential(ctx, { ...body, isAnew: true }, issuer)).rejects.toMatchObject({
        status: 409,
      })
      const stranger = issuingRequestFor(issuer, '2026-Q1', randomScalar(), holder.kept)
      await expect(
        renewCredential(ctx, { ...body, request: stranger.request }, issuer),
      ).rejects.toMatchObject({ status: 409 })
      await expect(renewCredential(ctx, body, issuer)).rejects.toMatchObject({ status: 409 })
    }))
})

test('only one of two devices that ask at once gets the secret', async () => {
  const ctx = await as('dana', async (ctx) => ctx)
  const db = outside()
  const both = await Promise.allSettled([1, 2].map(() => holderFor({ ...ctx, db }, issuer)))
  try {
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({ status: 409 })
    expect(await db.query(sql`select from credential_commitments`)).toHaveLength(1)
  } finally {
    await db.query(sql`delete from credential_commitments`)
    await db.query(sql`delete from credential_mailboxes`)
  }
})

test('several simultaneous ratings of one company by one person are one', async () => {
  const ctx = await as('dana', async (ctx) => ctx)
  const db = outside()
  const id = await giveErinHerCompany(db)
  try {
    const holder = await holderFor({ ...ctx, db }, issuer)
    await Promise.all(
      ([1, 2, 3, 4, 5] as const).map((rto) => rate({ ...ctx, db }, holder, id, given({ rto }))),
    )
    expect(await companyRatings({ ...ctx, db }, id, settings)).toMatchObject({ ratings: 1 })
  } finally {
    await db.query(sql`delete from companies where id = ${id}`)
    await db.query(sql`delete from credential_commitments`)
    await db.query(sql`delete from credential_mailboxes`)
  }
})
