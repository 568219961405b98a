/** Interviews on a real database: once per person, company and year, and no one learns whose one is. */
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { mergeCompany, undoMerge } from '#app/companies/merging/merge-commands.server.ts'
import { eventsOf } from '#app/main.features.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { withDatabase } from '#tests/support/database.ts'
import {
  apart,
  type Holder,
  holderFor,
  presentedInterview,
  removingPay,
} from '#tests/support/holders.ts'
import { anInterview } from '#tests/support/interviews.ts'
import { issuerOn } from '#tests/support/issuer.ts'
import { settledRater } from '#tests/support/raters.ts'
import { INTERVIEW_REFUSALS, interviewSubject } from './interview.ts'
import {
  giveInterview,
  removeInterview,
  removeInterviewsOf,
  sweepRemovedInterviews,
} from './interview-commands.server.ts'
import type { InterviewInput } from './interview-input.ts'

const { as, castOn } = withDatabase()
const issuer = issuerOn(() => '2026-03-14')
afterAll(() => issuer.stop())

const give = (ctx: Ctx, holder: Holder, id: string, interview: InterviewInput, version = 1) =>
  giveInterview(apart(ctx), presentedInterview(holder, id, interview, version), issuer)
const remove = (ctx: Ctx, holder: Holder, id: string, version: number) =>
  removeInterview(apart(ctx), id, removingPay(holder, interviewSubject(id, 2026), version))
const told = ({ db }: Ctx) =>
  db.query<{ id: string }>(sql`
    select id, company_id as "companyId", year, month::text as month, steps, weeks,
           has_offer as "hasOffer", difficulty, feeling, note, note_html as html, version
      from interviews order by year, weeks nulls last`)

test('dana gives one for each year, changes it, and takes it back', () =>
  as('dana', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    const holder = await holderFor(ctx, issuer)
    const receipt = await give(ctx, holder, id, anInterview({ steps: ['onsite', 'phone'] }))
    await give(ctx, holder, id, anInterview({ year: 2025 }))
    const changed = anInterview({ weeks: 5, note: '  About **tea**.\n' })
    expect(await give(ctx, holder, id, changed, 2)).toEqual({ id: receipt.id, version: 2 })
    expect(await told(ctx)).toMatchObject([
      { year: 2025, month: '2026-03-01' },
      {
        ...{ year: 2026, steps: ['phone', 'onsite'], weeks: 5, hasOffer: true, difficulty: 3 },
        ...{ feeling: 4, note: 'About **tea**.', html: '<p>About <strong>tea</strong>.</p>' },
      },
    ])
    // A recorded request, and one of an earlier version, change nothing.
    expect(await give(ctx, holder, id, anInterview(), 1)).toMatchObject({ isOther: true })
    expect(await remove(ctx, holder, id, 1)).toMatchObject({ version: 2, isOther: true })
    expect(await remove(ctx, holder, id, 2)).toEqual({ id: receipt.id, version: 2 })
    expect((await told(ctx))[1]).toMatchObject({ steps: null, weeks: null, note: '', html: '' })
    await expect(remove(ctx, holder, id, 2)).rejects.toMatchObject({
      status: 404,
      message: INTERVIEW_REFUSALS.notFound,
    })
    await sweepRemovedInterviews(ctx.db, '2026-07-01')
    expect(await told(ctx)).toMatchObject([{ year: 2025 }])
    await removeInterviewsOf(ctx, id)
    expect(await told(ctx)).toEqual([])
  }))

test('an impossible one, or one with another’s proof, is refused with a sentence', () =>
  as('dana', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    const holder = await holderFor(ctx, issuer)
    await expect(give(ctx, holder, id, anInterview({ weeks: 0 }))).rejects.toMatchObject({
      status: 400,
      message: INTERVIEW_REFUSALS.weeks,
    })
    const good = presentedInterview(holder, id, anInterview(), 1)
    for (const bad of [
      { ...good, interview: anInterview({ note: 'Another text' }) },
      { ...good, interview: anInterview({ year: 2025 }) },
      { ...good, version: 2 },
      { ...good, holder: good.removal },
    ])
      await expect(giveInterview(apart(ctx), bad, issuer)).rejects.toMatchObject({
        status: 400,
        message: INTERVIEW_REFUSALS.invalidProof,
      })
    expect(await told(ctx)).toEqual([])
  }))

test('a text that shows nothing is none', () =>
  as('dana', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    await give(ctx, await holderFor(ctx, issuer), id, anInterview({ note: '[](x)' }))
    expect(await told(ctx)).toMatchObject([{ note: '', html: '' }])
  }))

test('they move with their company in a merge and back, and their holders can change and remove them', () =>
  as('vera', async (ctx) => {
    const events = eventsOf({
      config: { ...readConfig({}), minShown: 1, ratingBatch: 1 } as never,
    })
    const { dana, ada } = castOn({ ...ctx, events })
    const into = await giveErinHerCompany(ctx.db)
    const [company] = await ctx.db.query<{ id: string }>(sql`
      insert into companies (name, name_key, website)
      values ('Former', 'former', 'https://former.example') returning id`)
    const from = company?.id as string
    const holder = await holderFor(dana, issuer)
    const other = await holderFor(await settledRater(dana, 1), issuer)
    const { id } = await give(dana, holder, from, anInterview())
    await give(dana, other, from, anInterview({ weeks: 9 }))
    await dana.db.query(sql`
      insert into public_interviews
             (id, company_id, year, month, steps, weeks, has_offer, difficulty, feeling)
      select id, company_id, year, month, steps, weeks, has_offer, difficulty, feeling
        from interviews where id = ${id}`)
    const shown = async () => {
      const rows = await ctx.db.query<{ at: string }>(
        sql`select company_id as at from public_interviews`,
      )
      return rows.map(({ at }) => at)
    }
    await mergeCompany(ada, { from, into })
    expect(await shown()).toEqual([into])
    const [edit] = await ctx.db.query<{ id: number }>(
      sql`select max(id)::integer as id from company_edits`,
    )
    await undoMerge(ada, edit?.id as number)
    expect(await shown()).toEqual([from])
    await mergeCompany(ada, { from, into })
    await expect(give(dana, holder, from, anInterview(), 2)).rejects.toMatchObject({ status: 410 })
    const changed = presentedInterview(holder, into, anInterview({ weeks: 1 }), 3, [from])
    await giveInterview(apart(dana), changed, issuer)
    await removeInterview(apart(dana), from, removingPay(other, interviewSubject(from, 2026), 0))
    expect(await told(dana)).toMatchObject([
      { companyId: into, weeks: 1 },
      { companyId: into, weeks: null },
      { companyId: into, weeks: null },
    ])
  }))
