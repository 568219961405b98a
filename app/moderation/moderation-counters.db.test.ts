/** Counters stay right after decisions in any order, and at the same time. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { deleteThread } from '#app/community/discussions/threads/thread-commands.server.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import type { Refusal } from '#app/platform/http/refusal.ts'
import { withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { acceptAppeal, appealRemoval, declineAppeal } from './appeal-commands.server.ts'
import {
  keepPost,
  lockThread,
  moveThread,
  pinThread,
  removePost,
  unlockThread,
  unpinThread,
} from './decision-commands.server.ts'
import {
  APPEAL,
  member,
  newComment,
  newThread,
  noticeEvents,
  type Scene,
  SPAM,
  sceneOn,
  visibilityOf,
} from './moderation.fixture.ts'
import { moderationLog, undoDecision } from './moderation-log.server.ts'
import { holdBurst } from './new-posts.server.ts'
import { moderationQueue } from './queue-queries.server.ts'
import { reportPost } from './report-commands.server.ts'
import { forgetSuspended, suspendAuthor } from './suspension-commands.server.ts'

const database = withDatabase()
const { as, castOn, outside } = database
const scene = sceneOn(database)
const openCases = async (ctx: Ctx) => (await moderationQueue(ctx, { list: 'open' })).cases

/** All that decisions and their counters touch. */
async function snapshot({ db }: Ctx) {
  const [seen] = await db.query<Record<string, unknown>>(sql`
    select (select json_agg(json_build_array(id, company_id, hidden, hidden_reason, is_locked,
                                             is_pinned, comments) order by id) from threads) as threads,
           (select json_agg(json_build_array(id, hidden, hidden_reason) order by id)
              from comments) as comments,
           (select json_agg(json_build_array(company_id, threads, comments) order by company_id)
              from company_stats) as stats,
           (select json_agg(json_build_array(company_id, month, reason, threads, comments)
                     order by company_id, month, reason)
              from removal_counts where threads <> 0 or comments <> 0) as removals,
           (select count(*)::integer from suspensions) as suspensions,
           (select count(*)::integer from moderation_cases where is_open) as "openCases"`)
  return seen
}

/** The counters as they should be, recounted from the posts and the log. */
async function recounted({ db }: Ctx) {
  const [wrong] = await db.query<Record<string, unknown[] | null>>(sql`
    with said as (
      select thread.id, thread.company_id, thread.hidden, thread.comments,
             (select count(*) from comments comment where comment.thread_id = thread.id
                and not comment.is_deleted and comment.hidden is null) as counted
        from threads thread),
    removed as (
      select (done.before -> 'counted' ->> 'companyId')::uuid as company_id,
             done.reason, done.comment_id is null as is_thread
        from moderation_log done
       where done.action = 'remove' and done.undone_by is null
         and not exists (select from moderation_log later
               where later.id > done.id and later.action = 'accept-appeal'
                 and later.undone_by is null and later.thread_id = done.thread_id
                 and later.comment_id is not distinct from done.comment_id))
    select (select json_agg(said) from said where comments <> counted) as threads,
           (select json_agg(stats) from company_stats stats
              join lateral (
                select count(*)::integer as threads, coalesce(sum(counted), 0)::integer as comments
                  from said where said.company_id = stats.company_id and said.hidden is null
              ) shown on true
             where stats.threads <> shown.threads or stats.comments <> shown.comments) as stats,
           (select json_agg(counts) from (
              select company_id, reason, threads::bigint, comments::bigint from removal_counts
               where threads <> 0 or comments <> 0
              except select company_id, reason, count(*) filter (where is_thread),
                            count(*) filter (where not is_thread)
                       from removed group by company_id, reason) counts) as removals,
           (select json_agg(total) from (select 1 as total where
              (select coalesce(sum(threads + comments), 0) from removal_counts) <>
              (select count(*) from threads where hidden = 'removed') +
              (select count(*) from comments where hidden = 'removed')) unequal) as total,
           (select json_agg(filed.id) from moderation_cases filed
              left join threads thread on thread.id = filed.thread_id
              left join comments comment on comment.id = filed.comment_id
             where coalesce(thread.hidden, comment.hidden) = 'held' and not filed.is_open
                or coalesce(thread.hidden, comment.hidden) = 'removed' and filed.is_open
                or filed.appeal_status = 'open'
                   and coalesce(thread.hidden, comment.hidden) is distinct from 'removed')
             as cases`)
  return wrong
}
const NOTHING_WRONG = { threads: null, stats: null, removals: null, total: null, cases: null }

/** Numbers that look random and are the same every time. */
function chances(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('counters', () => {
  test.each([1, 2])('stay exact after any actions in any order (%i)', (seed) =>
    scene(async ({ ctx, vera, dana, ada, olga, companyId, thread, comment }) => {
      const other = await newThread(vera)
      const posts = [thread, comment, other, await newComment(dana, thread.id)]
      posts.push(await newComment(vera, other.id), await newComment(dana, other.id))
      const chance = chances(seed)
      const pick = <T>(of: readonly T[]) => of[chance(of.length)] as T
      const entries: number[] = []
      const does: ((who: Ctx, post: PostRef) => Promise<object>)[] = [
        (_, post) => reportPost(member(ctx, chance(9)), post, SPAM),
        (_, post) => reportPost(member(ctx, chance(9)), post, SPAM),
        keepPost,
        (who, post) => removePost(who, post, { reason: pick(['spam', 'threat']), note: '' }),
        (who, post) => removePost(who, post, { reason: pick(['spam', 'threat']), note: '' }),
        (_, post) => appealRemoval(vera, post, APPEAL),
        (_, post) => appealRemoval(dana, post, APPEAL),
        acceptAppeal,
        (who, post) => declineAppeal(who, post, ''),
        (who, post) => suspendAuthor(who, post, { days: 1, reason: 'spam' }),
        (who) => lockThread(who, pick([thread, other]).id),
        (who) => unlockThread(who, pick([thread, other]).id),
        (who) => pinThread(who, pick([thread, other]).id),
        (who) => moveThread(who, pick([thread, other]).id, pick([companyId, null])),
        (who) => undoDecision(who, pick(entries) ?? 0),
        (who) => undoDecision(who, pick(entries) ?? 0),
        (who) => undoDecision(who, entries.at(-1) ?? 0),
      ]
      const done = new Map<number, number>()
      for (let step = 0; step < 100; step++) {
        const which = chance(does.length)
        const answer = await does[which]?.(pick([ada, olga]), pick(posts)).catch((error) => {
          if (![403, 404, 409].includes(error.status)) throw error
          return {}
        })
        if (answer && 'entry' in answer) entries.push(answer.entry as number)
        if (answer && Object.keys(answer).length > 0) done.set(which, (done.get(which) ?? 0) + 1)
        expect(await recounted(ctx)).toEqual(NOTHING_WRONG)
      }
      // Almost everything must have come to pass, or this shows little.
      expect(done.size).toBeGreaterThan(12)
    }),
  )

  test.each([3, 4])('undoing all decisions restores everything (%i)', (seed) =>
    scene(async ({ ctx, vera, dana, ada, olga, companyId, thread, comment }) => {
      const other = await newThread(vera)
      const posts = [thread, comment, other, await newComment(dana, other.id)]
      for (const n of [1, 2, 3]) await reportPost(member(ctx, n), comment, SPAM)
      await reportPost(vera, thread, SPAM)
      const before = await snapshot(ctx)
      const chance = chances(seed)
      const pick = <T>(of: readonly T[]) => of[chance(of.length)] as T
      const does: ((who: Ctx, post: PostRef) => Promise<object>)[] = [
        keepPost,
        (who, post) => removePost(who, post, SPAM),
        (_, post) => appealRemoval(pick([vera, dana]), post, APPEAL),
        acceptAppeal,
        (who, post) => declineAppeal(who, post, 'No'),
        (who, post) => suspendAuthor(who, post, { days: 1, reason: 'spam' }),
        (who) => lockThread(who, pick([thread, other]).id),
        (who) => unpinThread(who, pick([thread, other]).id),
        (who) => pinThread(who, pick([thread, other]).id),
        (who) => moveThread(who, pick([thread, other]).id, pick([companyId, null])),
      ]
      const entries: number[] = []
      for (let step = 0; step < 60; step++) {
        const answer = await pick(does)(pick([ada, olga]), pick(posts)).catch((error) => {
          if (![403, 404, 409].includes(error.status)) throw error
          return {}
        })
        if ('entry' in answer) entries.push(answer.entry as number)
      }
      expect(entries.length).toBeGreaterThan(9)
      for (const entry of entries.reverse()) await undoDecision(pick([ada, olga]), entry)
      expect(await snapshot(ctx)).toEqual(before)
      expect(await recounted(ctx)).toEqual(NOTHING_WRONG)
    }),
  )
})

describe('at the same time', () => {
  /** Committed, so that two connections meet there; gone at the end. */
  async function outdoors(work: (scene: Scene) => Promise<void>) {
    const ctx = await as('ada', async (ctx) => ({ ...ctx, db: outside(), events }))
    const people = castOn(ctx)
    const thread = await newThread(people.dana)
    const comment = await newComment(people.vera, thread.id)
    try {
      await work({ ctx, ...people, companyId: '', thread, comment })
    } finally {
      for (const table of [
        'threads',
        'suspensions',
        'removal_counts',
        'moderation_log',
        'job_queue',
      ])
        await ctx.db.script(`delete from ${table}`)
    }
  }
  const outcomes = async (attempts: Promise<unknown>[]) =>
    (await Promise.allSettled(attempts))
      .map((it) => (it.status === 'fulfilled' ? 'done' : (it.reason as Refusal).status))
      .sort()

  /** Two who have both looked before either of them takes the post. */
  function meeting() {
    let waiting = 0
    let go = () => {}
    const met = new Promise<void>((resolve) => {
      go = resolve
    })
    return (ctx: Ctx): Ctx => {
      const transaction: typeof ctx.db.transaction = async (work) => {
        if (++waiting === 2) go()
        await met
        return ctx.db.transaction(work)
      }
      return { ...ctx, db: { ...ctx.db, transaction } }
    }
  }

  test('two moderators decide about a post: one wins, and the other reads so', () =>
    outdoors(async ({ ctx, vera, ada, olga, thread, comment }) => {
      await reportPost(vera, thread, SPAM)
      const meet = meeting()
      const both = [keepPost(meet(ada), thread), removePost(meet(olga), thread, SPAM)]
      expect(await outcomes(both)).toEqual([409, 'done'])
      const attempts = [ada, olga, ada, olga].map((who) => removePost(who, comment, SPAM))
      expect(await outcomes(attempts)).toEqual([409, 409, 409, 'done'])
      expect(await outcomes([lockThread(ada, thread.id), lockThread(olga, thread.id)])).toEqual([
        409,
        'done',
      ])
      const entry = (await moderationLog(ada)).entries.find((it) => it.kind === 'comment')?.entry
      const undoing = [ada, olga, ada].map((who) => undoDecision(who, entry ?? 0))
      expect(await outcomes(undoing)).toEqual([409, 409, 'done'])
      expect(await visibilityOf(ctx, comment)).toBe('shown')
      expect(await recounted(ctx)).toEqual(NOTHING_WRONG)
    }))

  test('many simultaneous reports hold a post once', () =>
    outdoors(async ({ ctx, ada, thread, comment }) => {
      const reports = [1, 2, 3, 4, 5, 6].map((n) => reportPost(member(ctx, n), comment, SPAM))
      expect((await outcomes(reports)).filter((it) => it === 'done').length).toBeGreaterThan(2)
      expect(await noticeEvents(ctx)).toEqual(['held'])
      expect(await openCases(ada)).toHaveLength(1)
      expect(await visibilityOf(ctx, thread)).toBe('shown')
    }))

  test('reporting, deciding, undoing and deleting at once ends without an error', () =>
    outdoors(async ({ ctx, vera, dana, ada, olga, thread, comment }) => {
      const { entry } = await removePost(ada, comment, SPAM)
      const met = await outcomes([
        undoDecision(olga, entry),
        appealRemoval(vera, comment, APPEAL),
        removePost(ada, thread, SPAM),
        suspendAuthor(olga, thread, { days: 1, reason: 'spam' }),
        ...[1, 2, 3, 4].map((n) => reportPost(member(ctx, n), thread, SPAM)),
        holdBurst(ctx, thread),
        moderationQueue(ada, { list: 'open' }),
        deleteThread(dana, thread.id),
        forgetSuspended(ctx, rootOf(member(ctx, 1)) as Buffer),
        keepPost(olga, thread),
      ])
      expect(met.filter((it) => !['done', 401, 403, 404, 409].includes(it))).toEqual([])
    }))
})
