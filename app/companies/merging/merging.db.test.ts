/** Two companies become one, with all that people gave them, and two again within a day: D57. */

import sql, { raw } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { counterDrift } from '#app/commands/counting.server.ts'
import { createAlert } from '#app/jobs/alerts/job-alert-commands.server.ts'
import { moveThread, removePost } from '#app/moderation/decision-commands.server.ts'
import { alertOfThread } from '#app/moderation/notifications/alerts.server.ts'
import { adminLog } from '#app/office/administration/admin-log-queries.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { publishRatingsOfTheDay } from '#app/ratings/publication.server.ts'
import { forgetRater, removeRating, voteHelpful } from '#app/ratings/rating-commands.server.ts'
import {
  companyRatings,
  myRatings,
  ratingByTags,
  ratingsExport,
} from '#app/ratings/rating-queries.server.ts'
import { ratingTags } from '#app/ratings/rating-tag.server.ts'
import { type Cast, withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { accountOf, aRating, rate, rater } from '#tests/support/raters.ts'
import { addComment, startThread } from '#tests/support/unlimited.ts'
import { actsFor } from '../claims/claim-queries.server.ts'
import { insertCompanies } from '../company-commands.server.ts'
import { companyById, companyBySlug } from '../company-queries.server.ts'
import { editCompany, revertEdit } from '../edits/edit-commands.server.ts'
import { companyEdits } from '../edits/edit-queries.server.ts'
import { follow, unfollow } from '../following/follow-commands.server.ts'
import { followedIds, followersOf, myFollows } from '../following/follow-queries.server.ts'
import { suggestCompanies } from '../search/company-search.server.ts'
import { forgetMerged, mergeCompany, undoMerge } from './merge-commands.server.ts'
import { mergePreview } from './merge-queries.server.ts'
import { MOVED } from './merge-snapshot.server.ts'
import { companyIds } from './merged-companies.server.ts'

const { as, castOn, outside } = withDatabase()
const settings = { minShown: 1, ratingBatch: 1 }
const batched = { minShown: 1, ratingBatch: 5 }
const DAY_MS = 86_400_000

const cast = (work: (people: Cast) => Promise<void>) =>
  as('vera', (ctx) => work(castOn({ ...ctx, events })))
const refused = (status: number, message?: string | RegExp) =>
  expect.objectContaining({
    status,
    ...(message && {
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    }),
  })

async function add(ctx: Ctx, name: string, more: object = {}) {
  const [added] = await insertCompanies(ctx, [{ name, category: 'Tea', ...more }])
  return added?.id as string
}
const two = async ({ ada }: Cast) => ({
  from: await add(ada, 'Acme, Inc.', {
    website: 'https://acme.example',
    headquarters: 'Leuven',
    country: 'BE',
    aliases: ['Acme Worldwide'],
  }),
  into: await add(ada, 'Acme', { headquarters: 'Ghent', aliases: ['The Anvils'] }),
})

const start = (ctx: Ctx, companyId: string, title = 'Nobody comes in on Thursdays') =>
  startThread(ctx, {
    companyId,
    title,
    body: 'The office is empty.',
    topics: [],
    name: 'pseudonym',
    idempotencyKey: crypto.randomUUID(),
  })
const say = (ctx: Ctx, threadId: string, body: string) =>
  addComment(ctx, threadId, { body, name: 'pseudonym', idempotencyKey: crypto.randomUUID() })
const merge = ({ ada }: Cast, from: string, into: string) => mergeCompany(ada, { from, into })

async function entryOf({ ada }: Cast, companyId: string) {
  const { edits } = await companyEdits(ada, companyId)
  const entry = edits.find(({ changes }) => changes?.merged)
  return entry as NonNullable<typeof entry>
}
const undo = async (people: Cast, into: string, who = people.ada) =>
  undoMerge(who, (await entryOf(people, into)).id)

/** What people do at a company. */
async function life({ vera, dana, erin, ada }: Cast, id: string, name: string) {
  await follow(vera, id)
  const thread = await start(dana, id, `About ${name}`)
  await say(vera, thread.id, 'On Fridays neither')
  await alertOfThread(dana, thread.id)
  const gone = await start(dana, id, `Spam about ${name}`)
  await removePost(ada, { kind: 'thread', id: gone.id }, { reason: 'spam', note: '' })
  await createAlert(vera, { company: id })
  for (const n of [1, 2])
    await rate(rater(dana, n), id, aRating({ culture: 4, note: `${n} of ${name}` }), settings)
  await editCompany(dana, id, {
    changes: { category: { from: 'Tea', to: 'Anvils' } },
    reason: 'They forge',
  })
  await ada.db.query(sql`
    insert into employer_claims (account_id, company_id, status, claimed_on)
    values (${erin.actor.account?.id}, ${id}, 'approved', '2026-03-01')`)
  await ada.db.query(sql`
    insert into company_interactions (company_id, company_name, user_id, created_at)
    values (${id}, ${name}, 'somebody', '2026-03-10T09:00Z')`)
  await ada.db.query(
    sql`insert into daily_clicks (company_id, day, n) values (${id}, '2026-03-10', 1)`,
  )
  await ada.db.query(sql`update company_stats set views = views + 7 where company_id = ${id}`)
  await ada.db.query(sql`
    insert into dashboard_spans (company_id, kind, first_day, last_day, numbers)
    values (${id}, 'threads', '2026-03-02', '2026-03-08', '{}')`)
  await ada.db.query(sql`
    insert into company_policies (company_id, mode, days) values (${id}, 'hybrid', 2)`)
  return { threadId: thread.id }
}

async function everything(db: Database, but: string[] = []) {
  const tables = await db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const rows: Record<string, string[]> = {}
  for (const { name } of tables)
    if (!['admin_log', 'job_queue', 'moderation_log', ...but].includes(name))
      rows[name] = (
        await db.query<{ row: string }>(sql`select t::text as row from ${raw(name)} t order by 1`)
      ).map(({ row }) => row)
  return rows
}
const noDrift = async ({ db }: Ctx) =>
  expect(await counterDrift(db, { today: '2026-03-14', minShown: 1 })).toEqual([])

describe('merging', () => {
  test('a merge moves everything people gave, and every counter is exact', () =>
    cast(async (people) => {
      const { vera, dana, erin, ada } = people
      const { from, into } = await two(people)
      await life(people, from, 'Acme, Inc.')
      await life(people, into, 'Acme')
      await noDrift(ada)
      const preview = await mergePreview(ada, { from, into })
      expect(preview).toMatchObject({
        from: { name: 'Acme, Inc.' },
        moving: { threads: 1, comments: 1, ratings: 2, claims: 1, suggestions: 1 },
        aliases: ['The Anvils', 'Acme, Inc.', 'Acme Worldwide'],
        filled: [
          { field: 'Website', from: 'https://acme.example' },
          { field: 'Country', from: 'Belgium' },
        ],
        differing: [{ field: 'Headquarters', from: 'Leuven', into: 'Ghent' }],
        addresses: ['/acme-inc', `/company/${from}`],
      })
      expect(await merge(people, from, into)).toEqual({ path: '/acme' })
      await noDrift(ada)
      const company = await companyById(vera, into)
      expect(company).toMatchObject({
        name: 'Acme',
        threadCount: 2,
        commentCount: 2,
        ratings: 4,
        rating: 4,
        headquarters: 'Ghent',
        website: 'https://acme.example',
        aliases: ['The Anvils', 'Acme, Inc.', 'Acme Worldwide'],
      })
      // Only the former company's addresses are left.
      const left = await ada.db.query(sql`select from companies where id = ${from}`)
      expect(left).toEqual([])
      expect((await companyById(vera, from)).id).toBe(into)
      expect((await companyBySlug(vera, 'acme-inc')).slug).toBe('acme')
      expect((await suggestCompanies(vera, 'acme worldwide')).map(({ id }) => id)).toEqual([into])
      expect((await myFollows(vera)).follows).toHaveLength(1)
      expect(await followedIds(vera)).toEqual({ companyIds: [into] })
      expect(await followersOf(ada, [into], 'threads')).toHaveLength(1)
      expect(await actsFor(erin, into)).toBe(true)
      const [stats] = await ada.db.query(
        sql`select views::integer from company_stats where company_id = ${into}`,
      )
      expect(stats).toEqual({ views: 14 })
      expect((await adminLog(ada, {})).entries[0]).toMatchObject({
        admin: 'Ada',
        action: 'merge-companies',
        subject: 'Acme, Inc. into Acme, with 2 threads, 1 comment, 2 ratings, 0 jobs',
      })
      const { edits } = await companyEdits(dana, into)
      expect(edits.filter(({ isMine }) => isMine)).toHaveLength(2)
      expect(edits.find(({ formerly }) => formerly)?.formerly).toBe('Acme, Inc.')
      await unfollow(vera, from)
      expect(await followedIds(vera)).toEqual({ companyIds: [] })
    }))

  test('undoing a merge restores every row', () =>
    cast(async (people) => {
      const { from, into } = await two(people)
      await life(people, from, 'Acme, Inc.')
      await life(people, into, 'Acme')
      const { db } = people.ada
      const before = await everything(db)
      await merge(people, from, into)
      expect(await undo(people, into)).toEqual({ path: '/acme-inc' })
      const after = await everything(db)
      for (const [table, rows] of Object.entries(after)) {
        const known = ['company_edits', 'employer_claims']
        if (!known.includes(table)) expect([table, rows]).toEqual([table, before[table]])
      }
      expect(after.company_edits).toHaveLength((before.company_edits?.length ?? 0) + 1)
      expect(await actsFor(people.erin, from)).toBe(true)
      expect(await actsFor(people.erin, into)).toBe(true)
      expect((await entryOf(people, into)).state).toBe('reverted')
      await noDrift(people.ada)
    }))

  test('posts added meanwhile stay with the remaining company, and comments with their threads', () =>
    cast(async (people) => {
      const { vera, dana, ada } = people
      const { from, into } = await two(people)
      const { threadId } = await life(people, from, 'Acme, Inc.')
      await merge(people, from, into)
      const added = await start(vera, into, 'Written while they were one')
      await say(dana, threadId, 'And this below an old one')
      await follow(dana, into)
      await rate(rater(dana, 9), into, aRating({ rto: 2 }), settings)
      await editCompany(ada, into, {
        changes: { website: { from: 'https://acme.example', to: 'https://acme.test' } },
        reason: '',
      })
      await undo(people, into)
      expect(await companyById(vera, from)).toMatchObject({
        threadCount: 1,
        commentCount: 2,
        ratings: 2,
      })
      expect(await companyById(vera, into)).toMatchObject({
        threadCount: 1,
        commentCount: 0,
        ratings: 1,
        website: 'https://acme.test',
        headquarters: 'Ghent',
        aliases: ['The Anvils'],
      })
      const [thread] = await ada.db.query(
        sql`select company_id as id from threads where id = ${added.id}`,
      )
      expect(thread).toEqual({ id: into })
      expect(await followedIds(dana)).toEqual({ companyIds: [into] })
      await noDrift(ada)
    }))

  test('undoing gives the company a new address if its old one is taken', () =>
    cast(async (people) => {
      const { ada } = people
      await add(ada, 'Tea Works')
      const from = await add(ada, 'Tea Works.')
      const into = await add(ada, 'Globex')
      expect(await companyById(ada, from)).toMatchObject({ slug: 'tea-works-2' })
      await merge(people, from, into)
      await editCompany(ada, into, {
        changes: { name: { from: 'Globex', to: 'Tea Works 2' } },
        reason: '',
      })
      expect(await companyById(ada, into)).toMatchObject({ slug: 'tea-works-2' })
      expect(await undo(people, into)).toEqual({ path: '/tea-works-3' })
    }))

  test('a company can’t be merged with itself, an unknown one or one merged meanwhile', () =>
    cast(async (people) => {
      const { ada, olga } = people
      const { from, into } = await two(people)
      const third = await add(ada, 'Acme Third')
      const nobody = '00000000-0000-4000-8000-00000000dead'
      await expect(merge(people, from, from)).rejects.toEqual(
        refused(400, 'You can’t merge a company into itself'),
      )
      await expect(merge(people, nobody, into)).rejects.toEqual(refused(404))
      await expect(mergePreview(ada, { from, into: nobody })).rejects.toEqual(refused(404))
      await merge(people, from, into)
      const gone = refused(
        409,
        'Acme, Inc. was merged into Acme in the meantime. Look for it there.',
      )
      await expect(merge(people, from, third)).rejects.toEqual(gone)
      await expect(merge(people, third, from)).rejects.toEqual(gone)
      await expect(mergePreview(ada, { from: third, into: from })).rejects.toEqual(gone)
      const { id } = await entryOf(people, into)
      await undoMerge(olga, id)
      await expect(undoMerge(ada, id)).rejects.toEqual(refused(404))
      await expect(revertEdit(ada, id)).rejects.toEqual(refused(409))
    }))

  test('a chain of three merged companies keeps addresses and ratings, and is undone from its end', () =>
    cast(async (people) => {
      const { dana, vera, ada } = people
      const { from, into } = await two(people)
      const third = await add(ada, 'Third Works')
      await life(people, from, 'Acme, Inc.')
      const before = await everything(ada.db)
      await merge(people, from, into)
      const first = await entryOf(people, into)
      await merge(people, into, third)
      for (const slug of ['acme-inc', 'acme'])
        expect((await companyBySlug(vera, slug)).id).toBe(third)
      for (const id of [from, into]) expect((await companyById(vera, id)).id).toBe(third)
      expect((await companyIds(ada.db, from)).all.sort()).toEqual([from, into, third].sort())
      const one = rater(dana, 1)
      const tags = ratingTags(one, accountOf(1), await companyIds(ada.db, third))
      expect(await ratingByTags(one, tags)).toMatchObject({ rating: { culture: 4 } })
      expect(await myRatings(one)).toMatchObject({ ratings: [{ culture: 4, companyId: third }] })
      await expect(undoMerge(ada, first.id)).rejects.toEqual(
        refused(409, 'It has since been merged into Third Works. Undo that merge first.'),
      )
      const { edits } = await companyEdits(ada, third)
      const last = edits.find(({ changes }) => changes?.merged?.to === 'Acme')
      await undoMerge(ada, last?.id as number)
      await undoMerge(ada, first.id)
      const after = await everything(ada.db)
      for (const table of [
        'companies',
        'threads',
        'ratings',
        'public_ratings',
        'follows',
        'company_old_slugs',
        'company_merges',
        'company_keys',
      ])
        expect([table, after[table]]).toEqual([table, before[table]])
      await noDrift(ada)
    }))

  test('a merge can’t be undone after a day, and its leftover data is gone', () =>
    cast(async (people) => {
      const { ada } = people
      const { from, into } = await two(people)
      await merge(people, from, into)
      expect((await entryOf(people, into)).canTakeBack).toBe(true)
      const later = new Date(ada.now().getTime() + DAY_MS)
      const { id } = await entryOf(people, into)
      await expect(undoMerge({ ...ada, now: () => later }, id)).rejects.toEqual(
        refused(409, 'You have a day to undo a merge, and this one is older.'),
      )
      await forgetMerged(ada.db, later)
      const [left] = await ada.db.query(sql`select snapshot, undo_until from company_merges`)
      expect(left).toEqual({ snapshot: null, undo_until: null })
      expect((await entryOf(people, into)).canTakeBack).toBe(false)
      await expect(undoMerge(ada, id)).rejects.toEqual(
        refused(409, /^You have a day to undo a merge/),
      )
      expect((await companyById(ada, from)).id).toBe(into)
    }))

  test('two replies to one thread both stay, in order', () =>
    cast(async (people) => {
      const { vera, ada } = people
      const { from, into } = await two(people)
      const thread = await start(vera, from)
      for (const id of [from, into])
        await ada.db.query(sql`
          insert into company_replies (company_id, thread_id, body, html, first_minute, written_minute)
          values (${id}, ${thread.id}, 'We heard you, all of you.', '', 1, 1)`)
      await expect(merge(people, from, into)).rejects.toEqual(
        refused(409, /^Both companies have replied/),
      )
    }))

  test('people who acted for either act for the remaining company, and moderators’ marks follow', () =>
    cast(async (people) => {
      const { erin, dana, ada } = people
      const { from, into } = await two(people)
      for (const [id, status] of [
        [from, 'approved'],
        [into, 'declined'],
      ])
        await ada.db.query(sql`
          insert into employer_claims (account_id, company_id, status)
          values (${erin.actor.account?.id}, ${id}, ${status})`)
      const thread = await start(dana, from)
      await merge(people, from, into)
      expect(await actsFor(erin, into)).toBe(true)
      const third = await add(ada, 'Third Works')
      await moveThread(ada, thread.id, third)
      await undo(people, into)
      // It stays where a moderator moved it.
      const [moved] = await ada.db.query(sql`select company_id as id from threads`)
      expect(moved).toEqual({ id: third })
      expect(await actsFor(erin, from)).toBe(true)
      await moveThread(ada, thread.id, from)
      await noDrift(ada)
    }))

  test('a merge handles every table that names a company', () =>
    as('vera', async ({ db }) => {
      const named = await db.query<{ name: string }>(sql`
        select table_name as name from information_schema.columns
         where table_schema = 'public' and column_name = 'company_id' order by 1`)
      const OTHERWISE = [
        'admin_log',
        'benefit_cells',
        'companies_without_keys',
        'company_keys',
        'company_logos',
        'company_merges',
        'company_news',
        'company_old_slugs',
        'company_policies',
        'company_stats',
        'daily_clicks',
        'dashboard_counts',
        'dashboard_spans',
        'import_decisions',
        'imported_companies',
        'pay_cells',
        'public_interviews',
        'public_ratings',
        'rating_months',
        'removal_counts',
        'room_posts',
      ]
      expect(named.map(({ name }) => name)).toEqual([...MOVED, ...OTHERWISE].sort())
    }))
})

describe('ratings of companies that were merged', () => {
  test('merged ratings show nothing unpublished, and the public number is the sum of both', () =>
    cast(async (people) => {
      const { dana, ada, vera } = people
      const { from, into } = await two(people)
      for (let n = 0; n < 5; n++) await rate(rater(dana, n), from, aRating({ rto: 5 }), batched)
      for (let n = 10; n < 15; n++) await rate(rater(dana, n), into, aRating({ rto: 2 }), batched)
      await publishRatingsOfTheDay(ada, batched)
      // Four wait at each. No one knows how many people those eight are.
      for (let n = 20; n < 24; n++)
        for (const id of [from, into]) await rate(rater(dana, n), id, aRating({ rto: 1 }), batched)
      await merge(people, from, into)
      const merged = await companyRatings(vera, into, batched)
      expect(merged).toMatchObject({ ratings: 10, score: 3.5 })
      expect(await companyRatings(vera, from, batched)).toEqual(merged)
      expect(await publishRatingsOfTheDay(ada, batched)).toBe(0)
      expect(await companyRatings(vera, into, batched)).toEqual(merged)
      await rate(rater(dana, 25), into, aRating({ rto: 1 }), batched)
      expect(await publishRatingsOfTheDay(ada, batched)).toBe(1)
      expect(await companyRatings(vera, into, batched)).toMatchObject({ ratings: 15 })
      // Undone, no number is parted from those that it was published with.
      await undo(people, into)
      expect(await companyRatings(vera, from, batched)).toMatchObject({ ratings: 5, score: 5 })
      expect(await companyRatings(vera, into, batched)).toMatchObject({ ratings: 10, score: 1.5 })
      await noDrift(ada)
    }))

  test('someone who rated both removes both at once', () =>
    cast(async (people) => {
      const { dana, vera, ada } = people
      const { from, into } = await two(people)
      await rate(dana, from, aRating({ rto: 1, note: 'Of the first' }), settings)
      await rate(dana, into, aRating({ rto: 3 }), settings)
      await merge(people, from, into)
      expect(await companyRatings(vera, into, settings)).toMatchObject({ ratings: 2 })
      expect((await ratingsExport(dana)).ratings).toHaveLength(2)
      await removeRating(dana, into, settings)
      expect(await companyRatings(vera, into, settings)).toMatchObject({ ratings: 0 })
      await noDrift(ada)
    }))

  test('a rating of the former company is found until its author leaves', () =>
    cast(async (people) => {
      const { dana, ada } = people
      const { from, into } = await two(people)
      const { id } = await rate(dana, from, aRating({ rto: 1 }), batched)
      await merge(people, from, into)
      const tags = async () =>
        ratingTags(dana, dana.actor.account?.id as string, await companyIds(ada.db, into))
      expect(await ratingByTags(dana, await tags())).toMatchObject({ rating: { id, rto: 1 } })
      await forgetRater(
        ada,
        { accountId: dana.actor.account?.id as string, posts: 'keep' },
        batched,
      )
      expect(await ratingByTags(dana, await tags())).toMatchObject({ rating: null })
      expect((await ratingsExport(dana)).ratings).toEqual([])
    }))

  test('no one can mark a note helpful twice, or their own', () =>
    cast(async (people) => {
      const { vera, dana, ada } = people
      const { from, into } = await two(people)
      const note = await rate(dana, from, aRating({ rto: 1, note: 'Bring a coat' }), settings)
      await voteHelpful(vera, note.id, true, settings)
      await merge(people, from, into)
      await voteHelpful(vera, note.id, true, settings)
      expect((await myRatings(vera)).helpful).toEqual([{ id: note.id, isCounted: true }])
      expect(await ada.db.query(sql`select from rating_votes`)).toHaveLength(1)
      await expect(voteHelpful(dana, note.id, true, settings)).rejects.toEqual(refused(403))
    }))
})

// Only a server runs two transactions at a time.
describe('while people write', () => {
  async function outdoors(work: (people: Cast) => Promise<void>) {
    const db = outside()
    try {
      await work(castOn(await as('vera', async (ctx) => ({ ...ctx, db, events }))))
    } finally {
      for (const table of [
        'companies',
        'votes',
        'ratings',
        'public_ratings',
        'moderation_cases',
        'admin_log',
        'job_queue',
      ])
        await db.query(sql`delete from ${raw(table)}`)
    }
  }

  test('nothing is lost while people rate, post, reply and follow, and every counter is exact', () =>
    outdoors(async (people) => {
      const { dana, vera, ada } = people
      const { from, into } = await two(people)
      const thread = await start(dana, from)
      let isOver = false
      const done = { ratings: 0, threads: 1, comments: 0, follows: 0 }
      const writing = (what: keyof typeof done, write: (n: number) => Promise<unknown>) =>
        (async () => {
          for (let n = 0; !isOver && n < 60; n++) {
            await write(n)
            done[what]++
          }
        })()
      const writers = [
        writing('ratings', (n) => rate(rater(dana, 100 + n), from, aRating({ rto: 3 }), settings)),
        writing('threads', (n) => start(rater(dana, 300 + n), from, `Thread number ${n} of many`)),
        writing('comments', (n) => say(rater(dana, 500 + n), thread.id, `Answer ${n}`)),
        writing('follows', (n) => follow(rater(vera, 700 + n), from)),
      ]
      await expect.poll(() => Math.min(...Object.values(done))).toBeGreaterThan(1)
      await merge(people, from, into)
      const atMerge = { ...done }
      await expect
        .poll(() =>
          Object.entries(done).every(([what, n]) => n > atMerge[what as 'ratings'] || n >= 60),
        )
        .toBe(true)
      isOver = true
      await Promise.all(writers)
      expect(await companyById(ada, into)).toMatchObject({
        threadCount: done.threads,
        commentCount: done.comments,
        ratings: done.ratings,
      })
      expect(await followersOf(ada, [into], 'threads')).toHaveLength(done.follows)
      await noDrift(ada)
    }))

  test('two administrators merge in opposite directions: one succeeds, and the other reads why not', () =>
    outdoors(async (people) => {
      const { ada, olga } = people
      const { from, into } = await two(people)
      const both = await Promise.allSettled([
        mergeCompany(ada, { from, into }),
        mergeCompany(olga, { from: into, into: from }),
      ])
      const lost = both.filter((it) => it.status === 'rejected')
      expect(lost.map(({ reason }) => reason.status)).toEqual([409])
      expect(await ada.db.query(sql`select from companies`)).toHaveLength(1)
    }))

  test('three merges at once, each into the next, make one company or say why not', () =>
    outdoors(async (people) => {
      const { ada } = people
      const { from, into } = await two(people)
      const third = await add(ada, 'Third Works')
      const pairs = [
        { from, into },
        { from: into, into: third },
        { from: third, into: from },
      ]
      const all = await Promise.allSettled(pairs.map((pair) => mergeCompany(ada, pair)))
      const lost = all.filter((it) => it.status === 'rejected')
      for (const { reason } of lost) expect(reason.status).toBe(409)
      const left = await ada.db.query(sql`select from companies`)
      expect(left).toHaveLength(lost.length)
      await noDrift(ada)
    }))

  test('two administrators undo a merge at once: one succeeds, and the other reads why not', () =>
    outdoors(async (people) => {
      const { ada, olga } = people
      const { from, into } = await two(people)
      await merge(people, from, into)
      const { id } = await entryOf(people, into)
      const both = await Promise.allSettled([undoMerge(ada, id), undoMerge(olga, id)])
      const lost = both.filter((it) => it.status === 'rejected')
      expect(lost.map(({ reason }) => [404, 409].includes(reason.status))).toEqual([true])
      expect(await ada.db.query(sql`select from companies`)).toHaveLength(2)
    }))
})
