/** Only administrators delete a company, and all that was said about it goes with it: S14. */

import sql, { raw } from 'sql-template-tag'
import { describe, expect, test, vi } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { counterDrift } from '#app/commands/counting.server.ts'
import { deleteComment } from '#app/community/discussions/comments/comment-commands.server.ts'
import { broadcastThreadChange } from '#app/community/discussions/live/live.server.ts'
import { moderatedThreads } from '#app/community/discussions/posts/moderated-threads.server.ts'
import { searchThreads } from '#app/community/discussions/search/thread-search.server.ts'
import { saveThread } from '#app/community/discussions/threads/saved-threads.server.ts'
import { replyToNote, replyToThread } from '#app/community/replies/reply-commands.server.ts'
import { createAlert } from '#app/jobs/alerts/job-alert-commands.server.ts'
import { saveJob } from '#app/jobs/saved/saved-jobs.server.ts'
import { removePost } from '#app/moderation/decision-commands.server.ts'
import { alertOfPolicy, alertOfThread } from '#app/moderation/notifications/alerts.server.ts'
import { notifyOfPost } from '#app/moderation/notifications/notification-tasks.server.ts'
import { reportPost } from '#app/moderation/report-commands.server.ts'
import { suspendAuthor } from '#app/moderation/suspension-commands.server.ts'
import { adminLog } from '#app/office/administration/admin-log-queries.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { type Subscription, subscribe } from '#app/platform/database/server-context.server.ts'
import { voteHelpful } from '#app/ratings/rating-commands.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { amount } from '#tests/support/amounts.ts'
import { type Cast, withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { rate } from '#tests/support/raters.ts'
import {
  addComment,
  startThread,
  voteComment,
  votePoll,
  voteThread,
} from '#tests/support/unlimited.ts'
import { approveClaim } from '../claims/claim-commands.server.ts'
import { companyById, companyBySlug, companyCategories } from '../company-queries.server.ts'
import { editCompany } from '../edits/edit-commands.server.ts'
import { follow } from '../following/follow-commands.server.ts'
import { suggestCompanies } from '../search/company-search.server.ts'
import { COMPANY_DELETED, companyBelongings, deleteCompany } from './company-deletion.server.ts'
import { BUSY_COMPANY } from './company-deletion.ts'

vi.mock('#app/community/discussions/live/live.server.ts', { spy: true })
const { as, castOn, outside, somebodyWaits } = withDatabase()

const settings = { minShown: 1, ratingBatch: 1 }
const NOBODY = '00000000-0000-4000-8000-00000000dead'
const NAME = 'Erin and Sons'

/** The cast in one test, each on the same transaction. */
const cast = (work: (people: Cast) => Promise<void>) => as('vera', (ctx) => work(castOn(ctx)))

const deleteIt = (ctx: Ctx, id: string, name = NAME, more: Subscription[] = []) =>
  deleteCompany({ ...ctx, events: [...events, ...more] }, id, name)
const refused = (status: number, message?: string) =>
  expect.objectContaining({ status, ...(message && { message }) })

const start = (ctx: Ctx, companyId: string, title = 'Nobody comes in on Thursdays') =>
  startThread(ctx, {
    companyId,
    title,
    body: 'The office is empty.',
    topics: ['culture'],
    poll: { options: ['Yes', 'No'], days: 7 },
    name: 'pseudonym',
    idempotencyKey: crypto.randomUUID(),
  })
const say = (ctx: Ctx, threadId: string, body: string, parentId?: string) =>
  addComment(ctx, threadId, {
    body,
    parentId,
    name: 'pseudonym',
    idempotencyKey: crypto.randomUUID(),
  })
const rated = (culture: 1 | 2 | 3 | 4 | 5, note = '') => ({
  rto: null,
  dei: null,
  workLife: null,
  culture,
  officeDays: null,
  relation: null,
  era: null,
  note,
})

async function elsewhere({ db }: Ctx) {
  const [other] = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key, slug)
    values ('Elsewhere', 'elsewhere', 'elsewhere') returning id`)
  return other?.id as string
}

async function aJob({ db }: Ctx, companyId: string) {
  const [job] = await db.query<{ id: string }>(sql`
    insert into job_postings
      (company_id, company_name, title, description, html, excerpt, place_keys, remote_policy,
       employment_type, salary_minimum, salary_maximum, salary_currency, salary_period,
       apply_link, status, posted_date, valid_through, idempotency_key)
    values (${companyId}, 'A company', 'Head of tea', 'You pour.', '', '', '{p:berlin}', 'hybrid',
            'full-time', 60000, 80000, 'EUR', 'year', 'https://erin.example/jobs', 'open',
            '2026-03-14', '2026-05-13', ${crypto.randomUUID()}) returning id`)
  return job?.id as string
}

/** What people write about a company, vote on, save and are told of. */
async function talk({ vera, dana }: Cast, companyId: string) {
  await follow(vera, companyId)
  const { id } = await start(dana, companyId)
  await alertOfThread(dana, id)
  const first = await say(vera, id, 'On Fridays neither')
  const answer = await say(dana, id, 'Nor on Mondays', first.id)
  await notifyOfPost(dana, { kind: 'comment', id: answer.id })
  await voteThread(vera, id, 1)
  await voteComment(dana, first.id, -1)
  await voteComment(vera, answer.id, 1)
  await saveThread(vera, id, true)
  await votePoll(vera, id, 0)
  const { id: noteId } = await rate(dana, companyId, rated(4, 'Ask about the desks'), settings)
  await voteHelpful(vera, noteId, true, { ratingBatch: 1 })
  await reportPost(vera, { kind: 'note', id: noteId }, { reason: 'spam', note: '' })
  const jobId = await aJob(dana, companyId)
  await saveJob(vera, jobId)
  await createAlert(vera, { company: companyId })
  return { threadId: id, firstId: first.id, answerId: answer.id, noteId }
}

/** All of that about Erin's company, and what else there is. */
async function erinsWorld(people: Cast) {
  const { vera, dana, erin, ada } = people
  const { db } = ada
  const id = await giveErinHerCompany(db)
  const said = await talk(people, id)
  const { threadId, firstId, noteId } = said
  await replyToThread(erin, threadId, 'We heard you, and put in chairs.')
  await replyToNote(erin, noteId, 'We heard you, and put in desks.')
  const removed = await start(vera, id, 'What does not belong here at all')
  await voteThread(dana, removed.id, 1)
  const ruled = { kind: 'thread' as const, id: removed.id }
  await reportPost(dana, ruled, { reason: 'spam', note: 'Look' })
  await removePost(ada, ruled, { reason: 'spam', note: '' })
  // A stub with a reply below it.
  await deleteComment(vera, firstId)
  await editCompany(ada, id, {
    changes: {
      name: { from: NAME, to: 'Erin and Daughters' },
      policy: { from: null, to: { mode: 'office', days: null, since: null, source: null } },
    },
    reason: '',
  })
  await alertOfPolicy(ada, { companyId: id })
  await editCompany(dana, id, {
    changes: { category: { from: 'Other', to: 'Tea' } },
    reason: 'They brew',
  })
  await db.query(sql`
    insert into company_logos (company_id, hash, bytes) values (${id}, 'abc', decode('00', 'hex'))`)
  await db.query(sql`
    insert into company_interactions (company_id, company_name, user_id, created_at)
    values (${id}, ${NAME}, 'somebody', '2026-03-14T09:00Z')`)
  await db.query(sql`
    insert into daily_clicks (company_id, day, n) values (${id}, '2026-03-13', 3)`)
  await db.query(sql`insert into dashboard_counts (company_id) values (${id})`)
  await db.query(
    sql`insert into deleted_jobs (company_id, idempotency_key) values (${id}, 'one of a feed')`,
  )
  await db.query(sql`
    insert into dashboard_spans (company_id, kind, first_day, last_day, numbers)
    values (${id}, 'threads', '2026-03-02', '2026-03-08', '{}')`)
  return { id, name: 'Erin and Daughters', ...said, removedId: removed.id }
}

/** Rows that outlive a company, and say nothing of it that could be missed: the logs, what waits. */
const OUTLIVING = ['moderation_log', 'admin_log', 'job_queue']

/** Every row of every table, as text. */
async function everything({ db }: Ctx) {
  const tables = await db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const rows: Record<string, string[]> = {}
  for (const { name } of tables)
    if (!OUTLIVING.includes(name))
      rows[name] = (
        await db.query<{ row: string }>(sql`select t::text as row from ${raw(name)} t order by 1`)
      ).map(({ row }) => row)
  return rows
}

describe('Spec §6, S14: deleting a company', () => {
  test('every administrator can delete a company', () =>
    cast(async (people) => {
      const { id } = await erinsWorld(people)
      await deleteIt(people.ada, id, 'Erin and Daughters')
      const other = await elsewhere(people.olga)
      await deleteIt(people.olga, other, 'Elsewhere')
    }))

  test('a deletion needs the company’s current name, and another one deletes nothing', () =>
    cast(async (people) => {
      const { id, name } = await erinsWorld(people)
      const before = await everything(people.ada)
      // Its former name, which a screen may still show, doesn't count.
      for (const typed of [NAME, '', 'erin and daughters', 'Elsewhere'])
        await expect(deleteIt(people.ada, id, typed)).rejects.toEqual(
          refused(400, `Type ${name} exactly as shown`),
        )
      expect(await everything(people.ada)).toEqual(before)
      await deleteIt(people.ada, id, ` ${name} `)
    }))

  test('an unknown company is a 404, and so is one deleted twice', () =>
    cast(async (people) => {
      const { ada } = people
      const { id, name } = await erinsWorld(people)
      await deleteIt(ada, id, name)
      for (const gone of [id, NOBODY]) {
        await expect(deleteIt(ada, gone, name)).rejects.toEqual(refused(404))
        await expect(companyBelongings(ada, gone)).rejects.toEqual(refused(404))
      }
    }))

  test('a deletion says before and after how much goes, and the log has it with the name', () =>
    cast(async (people) => {
      const { ada } = people
      const { id, name } = await erinsWorld(people)
      const gone = { threads: 2, comments: 1, ratings: 1, jobs: 1 }
      expect(await companyBelongings(ada, id)).toEqual(gone)
      expect(await deleteIt(ada, id, name)).toEqual(gone)
      expect((await adminLog(ada, {})).entries[0]).toMatchObject({
        admin: 'Ada',
        action: 'delete-company',
        subject: `${name}, with 2 threads, 1 comment, 1 rating, 1 job`,
      })
    }))

  test('a deletion leaves nothing behind and everything else unchanged', () =>
    cast(async (people) => {
      const { ada, dana } = people
      const other = await elsewhere(ada)
      await talk(people, other)
      const before = await everything(ada)
      const { id, name, ...its } = await erinsWorld(people)
      await deleteIt(ada, id, name)
      const after = await everything(ada)
      // What moderators removed stays counted, among what was about no company.
      expect(after.removal_counts).toEqual(['(,2026-03-01,spam,1,0,0,0,0)'])
      // Of posts that are gone the keys of their numbers stay.
      const known = ['removal_counts', 'used_numbers']
      for (const [table, rows] of Object.entries(after))
        if (!known.includes(table)) expect([table, rows]).toEqual([table, before[table]])
      const left = JSON.stringify(after)
      for (const gone of [id, name, NAME, ...Object.values(its)]) expect(left).not.toContain(gone)
      expect(await counterDrift(dana.db, { today: '2026-03-14', minShown: 1 })).toEqual([])
    }))

  test('a deleted company and its posts are in no search or list', () =>
    cast(async (people) => {
      const { ada, vera } = people
      const { id, name, threadId } = await erinsWorld(people)
      await deleteIt(ada, id, name)
      await expect(companyById(vera, id)).rejects.toEqual(refused(404))
      for (const slug of ['erin-and-sons', 'erin-and-daughters'])
        await expect(companyBySlug(vera, slug)).rejects.toEqual(refused(404))
      expect(await suggestCompanies(vera, 'erin')).toEqual([])
      expect(await companyCategories(vera)).toEqual([])
      const found = { search: 'thursdays', sort: 'new', period: 'all' } as const
      expect((await searchThreads(vera, found)).threads).toEqual([])
      await expect(say(vera, threadId, 'Still here?')).rejects.toEqual(refused(404))
      await expect(start(vera, id)).rejects.toEqual(refused(400))
      await expect(rate(people.dana, id, rated(3), settings)).rejects.toEqual(refused(404))
    }))

  test('Spec §4: a deletion removes comments first, then their threads', () =>
    cast(async (people) => {
      const { id, name } = await erinsWorld(people)
      const done: string[] = []
      const db = listening(people.ada.db, (text) => done.push(text))
      await deleteIt({ ...people.ada, db }, id, name)
      const place = (words: string) => done.findIndex((text) => text.includes(words))
      expect(place('delete from comments')).toBeGreaterThan(-1)
      expect(place('delete from threads')).toBeGreaterThan(place('delete from comments'))
      expect(place('delete from companies')).toBeGreaterThan(place('delete from threads'))
    }))

  test('a thread that moved away stays with its votes, and so does a suspension', () =>
    cast(async (people) => {
      const { ada, dana, vera } = people
      const { id, name, threadId, removedId } = await erinsWorld(people)
      const other = await elsewhere(ada)
      await voteThread(ada, threadId, 1)
      await moderatedThreads.move(ada.db, threadId, other)
      await suspendAuthor(ada, { kind: 'thread', id: removedId }, { days: 7, reason: 'spam' })
      expect(await deleteIt(ada, id, name)).toMatchObject({ threads: 1, comments: 0 })
      const [left] = await ada.db.query(sql`
        select comments, score, (select threads from company_stats where company_id = ${other}) as threads
          from threads where id = ${threadId}`)
      expect(left).toEqual({ comments: 1, score: 2, threads: 1 })
      expect(dana.actor.authorKey).not.toBe(vera.actor.authorKey)
      // The suspension is about the person, and outlives the post.
      expect(await ada.db.query(sql`select from suspensions`)).toHaveLength(1)
    }))

  test('a request for the company stays listed and leads nowhere', () =>
    cast(async (people) => {
      const { ada } = people
      const { id, name } = await erinsWorld(people)
      await ada.db.query(sql`
        insert into company_requests (company_name, status, created_on, company_id)
        values ('Erin', 'approved', '2026-03-01', ${id})`)
      await deleteIt(ada, id, name)
      expect(
        await ada.db.query(sql`
          select company_name, status, company_id from company_requests`),
      ).toEqual([{ company_name: 'Erin', status: 'approved', company_id: null }])
    }))

  test('erin has a member’s menus again once the company she acted for is deleted', () =>
    cast(async (people) => {
      const { ada } = people
      const { id, name } = await erinsWorld(people)
      await ada.db.query(sql`update accounts set user_metadata = '{"user_type": "employer"}'
        where id = (select account_id from employer_claims)`)
      await deleteIt(ada, id, name)
      expect(await ada.db.query(sql`select from employer_claims`)).toEqual([])
      expect(
        await ada.db.query(sql`select from accounts where user_metadata ? 'user_type'`),
      ).toEqual([])
    }))

  test('a deletion removes all or nothing: a failure at the end leaves everything unchanged', () =>
    cast(async (people) => {
      const { ada } = people
      const { id, name } = await erinsWorld(people)
      const before = await everything(ada)
      const failing = subscribe(COMPANY_DELETED, () => {
        throw new Error('The disk is full')
      })
      await expect(deleteIt(ada, id, name, [failing])).rejects.toThrow('The disk is full')
      expect(await everything(ada)).toEqual(before)
    }))

  test('a deletion announces that its pages and threads are gone, under every address it had', () =>
    cast(async (people) => {
      const { id, name, threadId, removedId } = await erinsWorld(people)
      const told: unknown[] = []
      const db = listening(people.ada.db, (text, values) => {
        if (text.includes('pg_notify')) told.push(...values)
      })
      await deleteIt({ ...people.ada, db }, id, name)
      expect(told.join(' ').split(' ')).toEqual(
        expect.arrayContaining(['/erin-and-sons', '/erin-and-daughters', `/company/${id}`]),
      )
      const threads = vi.mocked(broadcastThreadChange).mock.calls.map(([, threadId]) => threadId)
      expect(threads).toEqual(expect.arrayContaining([threadId, removedId]))
    }))

  test('a deletion gives up and says why if people keep posting', () =>
    cast(async (people) => {
      const { id, name } = await erinsWorld(people)
      let tries = 0
      const waiting = subscribe(COMPANY_DELETED, () => {
        tries++
        throw Object.assign(new Error('locked'), { code: '55P03' })
      })
      await expect(deleteIt(people.ada, id, name, [waiting])).rejects.toEqual(
        refused(409, BUSY_COMPANY),
      )
      expect(tries).toBe(20)
    }))
})

/** `db` that tells of each statement before it is run, and waits for what it is answered. */
function listening(db: Database, hear: (text: string, values: unknown[]) => unknown): Database {
  return {
    ...db,
    query: async (statement, options) => {
      await hear(statement.text, statement.values)
      return db.query(statement, options)
    },
    transaction: (work) => db.transaction((inner) => work(listening(inner, hear))),
  }
}

// Only a server runs two transactions at a time.
describe('a deletion while people write', () => {
  const pausing = (ctx: Ctx, words: string, until: () => Promise<unknown>): Ctx => ({
    ...ctx,
    db: listening(ctx.db, (text) => (text.includes(words) ? until() : undefined)),
  })

  /** Committed, so that connections meet there; gone at the end. */
  async function outdoors(work: (people: Cast, its: Its) => Promise<void>) {
    const db = outside()
    const people = castOn(await as('vera', async (ctx) => ({ ...ctx, db })))
    try {
      const its = await erinsWorld(people)
      const [claim] = await db.query<{ id: string }>(sql`
        insert into employer_claims
          (account_id, company_id, status, method, domain, is_verified, claimed_on)
        values (${people.dana.actor.account?.id}, ${its.id}, 'pending', 'dns', 'erin.example', true,
                '2026-03-14') returning id`)
      await db.query(sql`
        update companies set website = 'https://erin.example' where id = ${its.id}`)
      await work(people, { ...its, claimId: claim?.id as string })
      expect(await db.query(sql`select from companies`)).toEqual([])
      const left = JSON.stringify(await everything(people.ada))
      for (const gone of [its.id, its.threadId, its.noteId]) expect(left).not.toContain(gone)
    } finally {
      for (const table of [
        'companies',
        'votes',
        'rating_votes',
        'moderation_cases',
        'removal_counts',
        'moderation_log',
        'admin_log',
        'job_queue',
      ])
        await db.query(sql`delete from ${raw(table)}`)
    }
  }
  type Its = Awaited<ReturnType<typeof erinsWorld>> & { claimId: string }

  /** What people may be doing to it just then. */
  const WRITERS = {
    'a comment': ({ vera }, { threadId }) => say(vera, threadId, 'Just now'),
    'an answer': ({ vera }, { threadId, answerId }) => say(vera, threadId, 'To that', answerId),
    'a vote': ({ vera }, { threadId }) => voteThread(vera, threadId, -1),
    'a thread': ({ vera }, { id }) => start(vera, id),
    'a first rating': ({ ada }, { id }) => rate(ada, id, rated(2), settings),
    'a changed rating': ({ dana }, { id }) => rate(dana, id, rated(1, 'Other words'), settings),
    'a helpful note': ({ vera }, { noteId }) =>
      voteHelpful(vera, noteId, false, { ratingBatch: 1 }),
    'a report': ({ ada }, { noteId }) =>
      reportPost(ada, { kind: 'note', id: noteId }, { reason: 'spam', note: '' }),
    'a claim being decided': ({ olga }, { claimId }) => approveClaim(olga, claimId),
    'a follower': ({ dana }, { id }) => follow(dana, id),
    'an edit': ({ olga }, { id, name }) =>
      editCompany(olga, id, { changes: { name: { from: name, to: `${name} Ltd` } }, reason: '' }),
    'a removal': ({ olga }, { threadId }) =>
      removePost(olga, { kind: 'thread', id: threadId }, { reason: 'spam', note: '' }),
    'an alert': ({ dana }, { threadId }) => alertOfThread(dana, threadId),
  } satisfies Record<string, (people: Cast, its: Its) => Promise<unknown>>

  /** A task whose rows lost their company in between is done again, and finds none. */
  const unlessRefused = (error: { status?: number; code?: string }) => {
    if (!error.status && error.code !== '23503') throw error
  }

  const MOMENTS = [
    'from accounts',
    'delete from comments',
    'from ratings where',
    'delete from companies',
    'insert into admin_log',
  ]
  // Not all at once: who looks whether they wait needs a connection, too.
  test.each(MOMENTS.flatMap((words) => amount([0], [0, 1]).map((half) => [words, half] as const)))(
    'someone who writes before its statement “%s” waits and gets a clear refusal (%i)',
    (words, half) =>
      outdoors(async (people, its) => {
        let late: Promise<unknown>[] = []
        const begin = async () => {
          // Not again if the deletion gave way and starts over.
          if (late.length > 0) return
          late = Object.values(WRITERS)
            .filter((_, n) => n % 2 === half)
            .map((write) => write(people, its).catch(unlessRefused))
          await somebodyWaits()
        }
        await deleteIt(pausing(people.ada, words, begin), its.id, its.name)
        await Promise.all(late)
      }),
  )

  test.each(['a comment', 'a first rating', 'a report', 'a claim being decided'] as const)(
    'a deletion waits for %s that came first, and deletes it, too',
    (writer) =>
      outdoors(async (people, its) => {
        let deletion: Promise<unknown> = Promise.resolve()
        await people.ada.db.transaction(async (inner) => {
          await WRITERS[writer](onOne(people, inner), its)
          deletion = deleteIt(people.ada, its.id, its.name)
          deletion.catch(() => {})
          await somebodyWaits()
        })
        await deletion
      }),
  )

  test('a deletion gives way to a reply that has locked its thread and needs the company', () =>
    outdoors(async ({ erin, ada, olga }, its) => {
      const thread = await start(ada, its.id, 'Somebody answers this')
      let deletion: Promise<unknown> = Promise.resolve()
      const meet = async () => {
        deletion = deleteIt(olga, its.id, its.name)
        deletion.catch(() => {})
        await somebodyWaits()
      }
      await replyToThread(
        pausing(erin, 'insert into company_replies', meet),
        thread.id,
        'We heard you, and put in more chairs.',
      )
      await deletion
    }))

  test('two administrators delete it at once, and the second reads that it’s gone', () =>
    outdoors(async ({ ada, olga }, its) => {
      const both = await Promise.allSettled([
        deleteIt(ada, its.id, its.name),
        deleteIt(olga, its.id, its.name),
      ])
      const lost = both.filter((it) => it.status === 'rejected')
      expect(lost.map(({ reason }) => reason.status)).toEqual([404])
    }))

  const onOne = (people: Cast, db: Database) => castOn({ ...people.vera, db })
})
