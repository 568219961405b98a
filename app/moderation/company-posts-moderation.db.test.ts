/** Jobs and replies of companies: reported by readers, hidden and shown again by moderators. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { counterDrift } from '#app/commands/counting.server.ts'
import { threadById } from '#app/community/discussions/threads/thread-queries.server.ts'
import { changeCompanyReply, replyToThread } from '#app/community/replies/reply-commands.server.ts'
import { replyVersions } from '#app/community/replies/reply-queries.server.ts'
import { HOLD_AFTER_REPORTS, type PostRef } from '#app/community/reports/report.ts'
import { revokeClaim } from '#app/companies/claims/claim-commands.server.ts'
import { jobById, myJobs } from '#app/jobs/job-queries.server.ts'
import { editJob, openJob, postJob } from '#app/jobs/postings/job-commands.server.ts'
import { updateReportReasons } from '#app/jobs/postings/moderated-jobs.server.ts'
import { savedJobs, saveJob } from '#app/jobs/saved/saved-jobs.server.ts'
import { listJobs } from '#app/jobs/search/job-search.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { memberNo } from '#tests/support/authors.ts'
import { type Cast, withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { aJob, startThread } from '#tests/support/unlimited.ts'
import { acceptAppeal, appealRemoval } from './appeal-commands.server.ts'
import { myModeration } from './appeal-queries.server.ts'
import { keepPost, removePost } from './decision-commands.server.ts'
import { moderationLog, undoDecision } from './moderation-log.server.ts'
import { moderationQueue } from './queue-queries.server.ts'
import { removalsAbout } from './removal-counts.server.ts'
import { reportPost } from './report-commands.server.ts'
import { suspendAuthor } from './suspension-commands.server.ts'

const { as, castOn } = withDatabase()
const SPAM = { reason: 'spam', note: '' } as const
const SITE = 'https://kettle.example'

interface Scene extends Cast {
  companyId: string
  /** Another member with a confirmed address. */
  member: (n: number) => Ctx
}

async function scene(work: (scene: Scene) => Promise<void>) {
  await as('ada', async (base) => {
    const people = castOn({ ...base, events })
    const companyId = await giveErinHerCompany(base.db)
    await work({
      ...people,
      companyId,
      member: (n) => memberNo(people.dana, n),
    })
  })
}

const queueOf = (ctx: Ctx) => moderationQueue(ctx, { list: 'open' })
const driftOf = ({ db }: Ctx) => counterDrift(db, { today: '2026-03-14', minShown: 1 })
const post = ({ erin, companyId }: Scene) =>
  postJob(erin, { companyId, job: aJob(), isDraft: false, idempotencyKey: crypto.randomUUID() })
const listed = async (ctx: Ctx) =>
  (await listJobs(ctx, { sort: 'newest', limit: 20 })).jobs.map(({ id }) => id)

test('a reported job is held, gone from every list, and back unchanged if it’s kept', () =>
  scene(async (people) => {
    const { vera, dana, erin, ada, member } = people
    const { id } = await post(people)
    const job: PostRef = { kind: 'job', id }
    await saveJob(dana, id)
    await reportPost(vera, job, { reason: 'spam', note: 'It asks for money first.' })
    expect((await queueOf(ada)).cases).toMatchObject([
      { kind: 'job', id, state: 'shown', author: null, thread: { title: 'Head of steam' } },
    ])
    await expect(reportPost(erin, job, SPAM)).rejects.toMatchObject({ status: 403 })
    expect(await listed(vera)).toEqual([id])
    for (let n = 0; n < HOLD_AFTER_REPORTS; n++) await reportPost(member(n), job, SPAM)
    expect(await listed(vera)).toEqual([])
    expect((await savedJobs(dana)).jobs).toEqual([])
    await expect(jobById(vera, id, SITE)).rejects.toMatchObject({ status: 404 })
    expect((await myModeration(erin)).posts).toMatchObject([{ kind: 'job', id, state: 'held' }])
    await expect(openJob(erin, id)).rejects.toMatchObject({ status: 409 })
    await expect(editJob(erin, id, aJob())).rejects.toMatchObject({ status: 409 })
    await keepPost(ada, job)
    expect(await listed(vera)).toEqual([id])
    expect(await jobById(vera, id, SITE)).toMatchObject({ status: 'open' })
    expect((await savedJobs(dana)).jobs).toMatchObject([{ id, status: 'open' }])
  }))

test('a company reads the day after why its job was reported, but not by whom or how many', () =>
  scene(async (people) => {
    const { vera, dana, erin, ada, companyId } = people
    const { id } = await post(people)
    const job: PostRef = { kind: 'job', id }
    const told = async () => (await myJobs(erin, companyId)).jobs[0]?.moderation
    expect(await told()).toBeNull()
    await reportPost(vera, job, { reason: 'spam', note: 'It asks for money first.' })
    await reportPost(dana, job, { reason: 'illegal', note: 'There is a law.' })
    // Doing it immediately would reveal when someone reported.
    expect(await told()).toBeNull()
    await updateReportReasons(erin.db)
    expect(await told()).toEqual({ state: 'reported', reasons: ['illegal', 'spam'] })
    await keepPost(ada, job)
    await updateReportReasons(erin.db)
    expect(await told()).toBeNull()
    await removePost(ada, job, SPAM)
    expect(await told()).toEqual({ state: 'removed', reasons: ['spam'] })
    expect((await myJobs(dana, companyId)).jobs).toEqual([])
  }))

test('a removed job is counted and logged, its company can appeal, and no one is suspended', () =>
  scene(async (people) => {
    const { vera, erin, ada, olga, companyId } = people
    const { id } = await post(people)
    const job: PostRef = { kind: 'job', id }
    await expect(suspendAuthor(ada, job, { days: 7, reason: 'spam' })).rejects.toMatchObject({
      status: 409,
    })
    const { entry } = await removePost(ada, job, SPAM)
    expect(await listed(vera)).toEqual([])
    expect(await removalsAbout(vera, companyId)).toEqual([
      { month: '2026-03', reason: 'spam', threads: 0, comments: 0, notes: 0, jobs: 1, replies: 0 },
    ])
    expect((await moderationLog(ada)).entries).toMatchObject([
      { kind: 'job', action: 'remove', thread: { title: 'Head of steam' }, mayUndo: true },
    ])
    await undoDecision(ada, entry)
    expect(await listed(vera)).toEqual([id])
    expect(await removalsAbout(vera, companyId)).toEqual([])
    await removePost(ada, job, SPAM)
    await expect(
      appealRemoval(vera, job, 'Please look again, it is a good job'),
    ).rejects.toMatchObject({ status: 404 })
    await appealRemoval(erin, job, 'Please look again, it is a good job')
    await acceptAppeal(olga, job)
    expect(await listed(vera)).toEqual([id])
    expect(await driftOf(ada)).toEqual([])
  }))

test('a held job whose company lost its claim stays closed when it’s kept', () =>
  scene(async (people) => {
    const { vera, erin, ada, member } = people
    const { id } = await post(people)
    for (let n = 0; n < HOLD_AFTER_REPORTS; n++)
      await reportPost(member(n), { kind: 'job', id }, SPAM)
    const [claim] = await ada.db.query<{ id: string }>(sql`
      select id from employer_claims where account_id = ${erin.actor.account?.id}`)
    await revokeClaim(ada, claim?.id as string)
    await keepPost(ada, { kind: 'job', id })
    expect(await listed(vera)).toEqual([])
    expect(await jobById(vera, id, SITE)).toMatchObject({ status: 'filled' })
  }))

test('a reported company reply is hidden with its history and can’t be edited meanwhile', () =>
  scene(async ({ vera, dana, erin, ada, companyId, member }) => {
    const { id: threadId } = await startThread(dana, {
      title: 'Is the lift in order?',
      body: '',
      topics: [],
      companyId,
      name: 'pseudonym',
      idempotencyKey: crypto.randomUUID(),
    })
    const { id } = await replyToThread(erin, threadId, 'It is mended since Monday')
    const reply: PostRef = { kind: 'reply', id }
    await expect(reportPost(erin, reply, SPAM)).rejects.toMatchObject({ status: 403 })
    await reportPost(vera, reply, { reason: 'harassment', note: '' })
    expect((await queueOf(ada)).cases).toMatchObject([
      { kind: 'reply', id, state: 'shown', thread: { title: 'A reply from Erin and Sons' } },
    ])
    for (let n = 0; n < HOLD_AFTER_REPORTS; n++) await reportPost(member(n), reply, SPAM)
    expect((await threadById(vera, threadId)).companyReply).toBeNull()
    await expect(replyVersions(vera, id)).rejects.toMatchObject({ status: 404 })
    await expect(
      changeCompanyReply(erin, id, { text: 'It was mended on Monday', version: 1 }),
    ).rejects.toMatchObject({ status: 409 })
    await keepPost(ada, reply)
    expect((await threadById(vera, threadId)).companyReply).toMatchObject({ id })
    await removePost(ada, reply, SPAM)
    expect((await threadById(vera, threadId)).companyReply).toBeNull()
    expect((await myModeration(erin)).posts).toMatchObject([
      { kind: 'reply', id, state: 'removed', canAppeal: true },
    ])
    expect(await removalsAbout(vera, companyId)).toMatchObject([{ replies: 1, jobs: 0 }])
    expect(await driftOf(ada)).toEqual([])
  }))
