/** What everyone reads of interviews, and when, on a real database. */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { replyToNote } from '#app/community/replies/reply-commands.server.ts'
import { loadStarterCompanies } from '#app/companies/starter-companies.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { interviewsOf } from '#tests/support/interviews.ts'
import { countAllHelpful } from '../helpful-votes.server.ts'
import { voteHelpful } from '../rating-commands.server.ts'
import { myRatings } from '../rating-queries.server.ts'
import { removeInterviewsOf } from './interview-commands.server.ts'
import { publishInterviews } from './interview-publication.server.ts'
import { companyInterviews } from './interview-queries.server.ts'
import { loadStarterInterviews } from './starter-interviews.server.ts'

const { as, castOn } = withDatabase()
const on = <Context extends object>(ctx: Context, day: string): Context => ({
  ...ctx,
  now: () => new Date(`${day}T03:30:00Z`),
})
const texts = async (ctx: Ctx, id: string) => (await companyInterviews(ctx, id)).interviews
const removeOne = ({ db }: Ctx, which = sql`note like '%number 1'`) =>
  db.query(sql`
    update interviews set month = '2026-03-01', steps = null, weeks = null, has_offer = null,
           difficulty = null, feeling = null, note = '', note_html = ''
     where ${which}`)

test('five people’s appear together at the beginning of the next month, and fewer after a whole month', () =>
  as('dana', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    await interviewsOf(ctx, id, 5, { month: '2026-03-01' })
    expect(await publishInterviews(on(ctx, '2026-03-31'))).toBe(0)
    expect(await publishInterviews(on(ctx, '2026-04-01'))).toBe(5)
    expect(await publishInterviews(on(ctx, '2026-04-02'))).toBe(0)
    await interviewsOf(ctx, id, 4, { month: '2026-04-01' })
    expect(await publishInterviews(on(ctx, '2026-05-01'))).toBe(0)
    expect(await publishInterviews(on(ctx, '2026-06-01'))).toBe(4)
    expect(await texts(on(ctx, '2026-06-01'), id)).toHaveLength(9)
  }))

test('five years’ interviews are no batch and no number, because they may be one person’s', () =>
  as('dana', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    for (const year of [2022, 2023, 2024, 2025, 2026])
      await interviewsOf(ctx, id, 1, { year, month: '2026-02-01' })
    expect(await publishInterviews(on(ctx, '2026-03-01'))).toBe(0)
    expect(await publishInterviews(on(ctx, '2026-04-01'))).toBe(5)
    expect(await companyInterviews(on(ctx, '2026-04-01'), id)).toMatchObject({ numbers: null })
    await interviewsOf(ctx, id, 4)
    await publishInterviews(on(ctx, '2026-04-01'))
    expect((await companyInterviews(ctx, id)).numbers).toMatchObject({ interviews: 9 })
  }))

test('everyone reads shares and medians, and texts with the year, how hard it was and how it felt', () =>
  as('vera', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    const none = { formerIds: [], numbers: null, surge: null, interviews: [], next: null }
    expect(await companyInterviews(ctx, id)).toEqual(none)
    await interviewsOf(ctx, id, 5)
    await publishInterviews(ctx)
    const { numbers, interviews } = await companyInterviews(ctx, id)
    expect(numbers).toEqual({
      ...{ interviews: 5, offers: 40, weeks: 3, difficulty: 3, feeling: 4 },
      steps: [
        { step: 'phone', share: 100 },
        { step: 'task', share: 60 },
        { step: 'onsite', share: 40 },
      ],
    })
    expect(interviews[0]).toEqual({
      id: expect.any(String),
      html: expect.stringContaining('They asked number'),
      ...{ year: 2026, month: '2026-02', difficulty: 3, feeling: 4, helpful: 0 },
      companyReply: null,
    })
    // Row order says nothing about who came first.
    const orders = new Set<string>()
    for (let n = 0; n < 8; n++) {
      await ctx.db.query(sql`delete from public_interviews`)
      await publishInterviews(ctx)
      const rows = await ctx.db.query<{ note: string }>(sql`select note from public_interviews`)
      orders.add(rows.map(({ note }) => note).join())
    }
    expect(orders.size).toBeGreaterThan(1)
    await expect(companyInterviews(ctx, interviews[0]?.id as string)).rejects.toMatchObject({
      status: 404,
    })
  }))

test('a text taken back disappears the next night, and the answers with the month’s changes', () =>
  as('dana', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    await interviewsOf(ctx, id, 6)
    await publishInterviews(ctx)
    await removeOne(ctx)
    await publishInterviews(ctx)
    expect(await texts(ctx, id)).toHaveLength(5)
    expect((await companyInterviews(ctx, id)).numbers?.interviews).toBe(6)
    await publishInterviews(on(ctx, '2026-05-01'))
    expect((await companyInterviews(ctx, id)).numbers?.interviews).toBe(5)
  }))

test('votes put the most helpful first, page by page, and go with their interview', () =>
  as('vera', async (ctx) => {
    const { vera, dana, erin } = castOn({ ...ctx, events })
    const id = await giveErinHerCompany(ctx.db)
    await interviewsOf(ctx, id, 45)
    await publishInterviews(ctx)
    const best = (await texts(ctx, id)).at(-1)?.id as string
    const batched = { ratingBatch: 5 }
    expect(await voteHelpful(vera, best, true, batched)).toEqual({
      isHelpful: true,
      isCounted: false,
    })
    await voteHelpful(dana, best, true, batched)
    expect((await myRatings(dana)).helpful).toEqual([{ id: best, isCounted: false }])
    await countAllHelpful(ctx.db)
    const ids: string[] = []
    let after: string | null | undefined
    do {
      const page = await companyInterviews(ctx, id, { sort: 'helpful', ...(after && { after }) })
      ids.push(...page.interviews.map((it) => it.id))
      after = page.next
    } while (after)
    expect(ids[0]).toBe(best)
    expect(new Set(ids).size).toBe(45)
    const reply = await replyToNote(erin, best, 'We ask that no more.')
    const { interviews } = await companyInterviews(ctx, id, { sort: 'helpful' })
    expect(interviews[0]).toMatchObject({ helpful: 2, companyReply: { id: reply.id } })
    await removeInterviewsOf(erin, id)
    for (const table of [sql`rating_votes`, sql`company_replies`, sql`public_interviews`])
      expect(await ctx.db.query(sql`select from ${table}`)).toEqual([])
  }))

test('a flood of interviews in a month doesn’t count in the numbers until the next one', () =>
  as('dana', async (ctx) => {
    const id = await giveErinHerCompany(ctx.db)
    await interviewsOf(ctx, id, 5, { month: '2025-06-01' })
    await interviewsOf(ctx, id, 12, { month: '2026-02-01' })
    await publishInterviews(ctx)
    const flooded = await companyInterviews(ctx, id)
    expect(flooded).toMatchObject({ surge: '2026-02', numbers: { interviews: 5 } })
    expect(await companyInterviews(on(ctx, '2026-04-01'), id)).toMatchObject({
      surge: null,
      numbers: { interviews: 17 },
    })
    // What's usual isn't known of a company without earlier ones.
    await ctx.db.query(sql`delete from public_interviews where month = '2025-06-01'`)
    expect((await companyInterviews(ctx, id)).surge).toBeNull()
  }))

test('made-up interviews of made-up companies are added once', () =>
  as('vera', async (ctx) => {
    await loadStarterCompanies(ctx, 'demo')
    expect(await loadStarterInterviews(ctx)).toBe(14)
    expect(await loadStarterInterviews(ctx)).toBe(0)
    const [company] = await ctx.db.query<{ id: string }>(
      sql`select id from companies where name = 'Lampwright Systems'`,
    )
    const { numbers, interviews } = await companyInterviews(ctx, company?.id as string)
    expect(numbers).toMatchObject({ interviews: 7 })
    expect(interviews).toHaveLength(5)
  }))
