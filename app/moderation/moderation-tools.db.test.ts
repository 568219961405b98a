/** Templates, watch lists, first posts and limits, on a real database. */

import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { editComment } from '#app/community/discussions/comments/comment-commands.server.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import { readChosenLimits } from '#app/platform/http/chosen-limits.server.ts'
import { createRateLimit } from '#app/platform/http/rate-limits.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { madeUpVisitor } from '#tests/support/authors.ts'
import { later, withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { addComment, aThread, startThread } from '#tests/support/unlimited.ts'
import { myModeration } from './appeal-queries.server.ts'
import { keepPost, removePost, removePosts } from './decision-commands.server.ts'
import { chooseFirstPosts, firstPosts, holdFirst, holdNewPosts } from './new-posts.server.ts'
import { moderationQueue } from './queue-queries.server.ts'
import { reportPost } from './report-commands.server.ts'
import {
  addTemplate,
  changeTemplate,
  chooseLimit,
  dryRun,
  noteTemplates,
  postingLimits,
  removeTemplate,
  unwatch,
  watchedWords,
  watchFor,
} from './tool-commands.server.ts'

const { as } = withDatabase()

interface Scene {
  ada: Ctx
  vera: Ctx
  companyId: string
}
const scene = (work: (scene: Scene) => Promise<void>) =>
  as('ada', async (base) => {
    const ada = { ...base, events }
    const vera: Ctx = {
      ...ada,
      actor: madeUpVisitor('tools'),
    }
    await work({ ada, vera, companyId: await giveErinHerCompany(ada.db) })
  })

async function newThread(ctx: Ctx, body: string, companyId?: string): Promise<PostRef> {
  const { id } = await startThread(ctx, aThread({ body, companyId }))
  return { kind: 'thread', id }
}
const newComment = async (ctx: Ctx, { id }: PostRef, body: string): Promise<PostRef> => ({
  kind: 'comment',
  id: (await addComment(ctx, id, { body, name: 'pseudonym', idempotencyKey: crypto.randomUUID() }))
    .id,
})
async function hiddenOf({ db }: Ctx, { id }: PostRef) {
  const [row] = await db.query<{ hidden: string | null }>(sql`
    select hidden from threads where id = ${id} union all
    select hidden from comments where id = ${id}`)
  return row?.hidden
}

describe('templates', () => {
  test('a broken placeholder and a repeated name are refused', () =>
    scene(async ({ ada }) => {
      for (const body of ['Dear {compny}', 'Dear {company', 'Dear company}'])
        await expect(addTemplate(ada, { name: 'Advert', body })).rejects.toMatchObject({
          status: 400,
        })
      expect(await noteTemplates(ada)).toEqual([])
      const body = 'It is {reason}, about {company}: “{title}”.'
      const { id } = await addTemplate(ada, { name: ' Advert ', body })
      expect(await noteTemplates(ada)).toEqual([{ id, name: 'Advert', body }])
      await expect(
        changeTemplate(ada, id, { name: 'Advert', body: 'It is {reson}' }),
      ).rejects.toMatchObject({
        message: '“{reson}” isn’t a placeholder. Use {reason}, {company} and {title}.',
      })
      expect((await noteTemplates(ada))[0]?.body).toBe(body)
    }))

  test('a second template of the same name is refused, and a deleted one is gone', async () => {
    await scene(async ({ ada }) => {
      await addTemplate(ada, { name: 'Advert', body: 'No' })
      await expect(addTemplate(ada, { name: 'ADVERT', body: 'No' })).rejects.toMatchObject({
        status: 409,
      })
    })
    await scene(async ({ ada }) => {
      const { id } = await addTemplate(ada, { name: 'Advert', body: 'No' })
      await removeTemplate(ada, id)
      await expect(removeTemplate(ada, id)).rejects.toMatchObject({ status: 404 })
    })
  })

  test('each author reads about their own post, and a post whose template can’t be filled stays', () =>
    scene(async ({ ada, vera, companyId }) => {
      const about = await newThread(vera, 'One', companyId)
      const none = await newThread(vera, 'Another')
      const note = '{reason}: “{title}”, about {company}.'
      const { decided, left } = await removePosts(
        ada,
        [about, none].map((post) => ({ ...post, seen: 0 })),
        { reason: 'spam', note },
      )
      expect(decided).toMatchObject([about])
      expect(left).toEqual([{ ...none, why: 'This post has no company for “{company}”' }])
      expect(await hiddenOf(ada, none)).toBeNull()
      const { posts } = await myModeration(vera)
      expect(posts.map(({ note }) => note)).toEqual([
        'Spam or advertising: “Is it true about the Thursdays?”, about Erin and Sons.',
      ])
      await expect(
        removePost(ada, none, { reason: 'spam', note: 'Dear {autor}' }),
      ).rejects.toMatchObject({ status: 400 })
      expect(await hiddenOf(ada, none)).toBeNull()
    }))
})

describe('watch lists', () => {
  test('a new post with a watched word is held, its author gets a notification, and the queue says why', () =>
    scene(async ({ ada, vera }) => {
      await watchFor(ada, 'Free Money')
      await watchFor(ada, 'https://spam.example/x')
      const plain = await newThread(vera, 'They say nobody comes in.')
      const money = await newComment(vera, plain, 'FREE, money!')
      const link = await newThread(
        vera,
        'Look at [this](https://shop.spam.example/y), for free money.',
      )
      await holdNewPosts(ada, [plain, money, link])
      await holdNewPosts(ada, [plain, money, link])
      expect(await hiddenOf(ada, plain)).toBeNull()
      expect(await hiddenOf(ada, money)).toBe('held')
      const { cases } = await moderationQueue(ada, { list: 'open', why: 'watched' })
      expect(cases.map(({ id, watched }) => [id, watched]).toSorted()).toEqual(
        [
          [money.id, 'Free Money'],
          [link.id, 'Free Money, https://spam.example/x'],
        ].toSorted(),
      )
      expect((await myModeration(vera)).posts).toMatchObject([
        { id: link.id, state: 'held', html: expect.stringContaining('free money') },
        { id: money.id, state: 'held' },
      ])
      const told = await ada.db.query(sql`select from job_queue where kind = 'post-ruled'`)
      expect(told).toHaveLength(2)
    }))

  test('posts held by a moderator don’t show which share an author', () =>
    scene(async ({ ada, vera }) => {
      await watchFor(ada, 'beans')
      const thread = await newThread(vera, 'Beans')
      const other = await newThread(vera, 'More beans')
      await reportPost(ada, other, { reason: 'spam', note: '' })
      await holdNewPosts(ada, [thread, other])
      await chooseFirstPosts(ada, 5)
      const first = await newThread(vera, 'Hello')
      await reportPost(ada, first, { reason: 'spam', note: '' })
      await holdNewPosts(ada, [first])
      const { cases } = await moderationQueue(ada, { list: 'open' })
      expect(cases.map(({ state }) => state)).toEqual(['held', 'held', 'held'])
      expect(cases.flatMap(({ sameAuthor }) => sameAuthor)).toEqual([])
    }))

  test('a post a moderator let through stays until its author edits it', () =>
    scene(async ({ ada, vera }) => {
      await watchFor(ada, 'beans')
      const thread = await newThread(vera, 'They say nobody comes in.')
      const beans = await newComment(vera, thread, 'Best beans')
      await holdNewPosts(ada, [beans])
      await keepPost(ada, beans)
      await holdNewPosts(ada, [beans])
      expect(await hiddenOf(ada, beans)).toBeNull()
      await editComment(vera, beans.id, 'Best beans of the town')
      expect(await hiddenOf(ada, beans)).toBe('held')
      const innocent = await newComment(vera, thread, 'Nothing of that')
      await editComment(vera, innocent.id, 'Nothing of that kind')
      expect(await hiddenOf(ada, innocent)).toBeNull()
    }))

  test('a dry run counts what would have been held in the last 30 days and writes nothing', () =>
    scene(async ({ ada, vera }) => {
      const thread = await newThread(vera, 'We sell beans')
      await newComment(vera, thread, 'Beans? Which beans?')
      await newComment(vera, thread, 'No idea.')
      const removed = await newComment(vera, thread, 'Buy beans')
      await removePost(ada, removed, { reason: 'spam', note: '' })
      const shown = await dryRun(ada, 'BEANS')
      expect(shown).toMatchObject({ entry: 'BEANS', isDomain: false, matches: 2, total: 3 })
      expect(shown.examples.map(({ excerpt }) => excerpt).toSorted()).toEqual([
        'Beans? Which beans?',
        'We sell beans',
      ])
      expect(await dryRun(later(ada, 43_201), 'beans')).toMatchObject({
        matches: 0,
        total: 0,
        examples: [],
      })
      expect(await watchedWords(ada)).toEqual([])
      await expect(dryRun(ada, '…')).rejects.toMatchObject({ status: 400 })
    }))

  test('a dry run over hostile texts doesn’t block others and has few of them in memory', () =>
    scene(async ({ ada }) => {
      const hostile = [
        'a'.repeat(20_000),
        'a.'.repeat(10_000),
        'a b '.repeat(5_000),
        '\ufdfa'.repeat(20_000),
      ]
      const post = (n: number) => ({
        kind: 'thread',
        id: crypto.randomUUID(),
        threadId: crypto.randomUUID(),
        title: 'Hostile',
        minute: n,
        text: hostile[n % hostile.length] as string,
      })
      const asked: number[] = []
      // It answers at once, so every turn is one that the dry run leaves to others.
      const atOnce = async ({ values }: Sql) => {
        const rows = values.at(-1) as number
        asked.push(rows)
        return asked.length === 1 ? Array.from({ length: rows }, (_, n) => post(rows - n)) : []
      }
      const db = { ...ada.db, query: atOnce as Ctx['db']['query'] }
      let turns = 0
      let counting = setImmediate(function count() {
        turns++
        counting = setImmediate(count)
      })
      const { total } = await dryRun({ ...ada, db }, 'spam.example')
      clearImmediate(counting)
      expect(total).toBe(100)
      // Never more than one long text in a turn.
      expect(turns).toBeGreaterThanOrEqual(99)
      expect(Math.max(...asked)).toBe(100)
    }))

  test('a watch entry exists once in any spelling and can be removed', async () => {
    await scene(async ({ ada, vera }) => {
      const { id } = await watchFor(ada, 'beans')
      await unwatch(ada, id)
      const thread = await newThread(vera, 'Beans')
      await holdNewPosts(ada, [thread])
      expect(await hiddenOf(ada, thread)).toBeNull()
      await expect(unwatch(ada, id)).rejects.toMatchObject({ status: 404 })
      await watchFor(ada, 'WWW.Spam.example')
      await expect(watchFor(ada, 'http://spam.example/')).rejects.toMatchObject({ status: 409 })
    })
  })
})

describe('first posts', () => {
  test('first posts show at once by default', () =>
    scene(async ({ ada, vera }) => {
      expect(await firstPosts(ada)).toEqual({ posts: 0 })
      const thread = await newThread(vera, 'My first')
      await holdFirst(ada, [thread])
      expect(await hiddenOf(ada, thread)).toBeNull()
    }))

  test('first posts wait until a moderator approves enough of them, and then everything shows', () =>
    scene(async ({ ada, vera }) => {
      await chooseFirstPosts(ada, 2)
      const one = await newThread(vera, 'My first')
      const two = await newThread(vera, 'My second, at the same moment')
      // The second is reviewed before the first. Being visible doesn't mean being approved.
      await holdFirst(ada, [two])
      await holdFirst(ada, [one])
      expect([await hiddenOf(ada, one), await hiddenOf(ada, two)]).toEqual(['held', 'held'])
      await keepPost(ada, one)
      const three = await newComment(vera, one, 'My third')
      await holdFirst(ada, [three])
      expect(await hiddenOf(ada, three)).toBe('held')
      await keepPost(ada, three)
      const four = await newComment(vera, one, 'My fourth')
      await holdFirst(ada, [four])
      expect(await hiddenOf(ada, four)).toBeNull()
    }))

  test('people who posted before the rule aren’t new, and a removed post doesn’t count as approved', () =>
    scene(async ({ ada, vera }) => {
      const before = await newThread(vera, 'Long ago')
      await chooseFirstPosts(later(ada, 5), 1)
      const now = later(vera, 6)
      const next = await newComment(now, before, 'And now')
      await holdFirst(later(ada, 6), [next])
      expect(await hiddenOf(ada, next)).toBeNull()
      await removePost(ada, before, { reason: 'spam', note: '' })
      await removePost(ada, next, { reason: 'spam', note: '' })
      const third = await newThread(now, 'Once more')
      await holdFirst(later(ada, 6), [third])
      expect(await hiddenOf(ada, third)).toBe('held')
    }))

  test('nothing stored for the rule says anything about a person', () =>
    scene(async ({ ada, vera }) => {
      await chooseFirstPosts(ada, 3)
      await chooseFirstPosts(ada, 1)
      await holdFirst(ada, [await newThread(vera, 'My first')])
      const rows = await ada.db.query(sql`select * from first_posts_rule`)
      expect(rows).toEqual([{ is_only: true, posts: 1, since_minute: expect.any(Number) }])
      await chooseFirstPosts(ada, 0)
      expect(await ada.db.query(sql`select from first_posts_rule`)).toEqual([])
    }))
})

describe('limits', () => {
  afterEach(() => as('ada', ({ db }) => readChosenLimits(db)))

  test('the defaults apply until ada changes them, at once everywhere, and one click restores them', () =>
    as('ada', async (ada) => {
      const limit = createRateLimit({
        name: 'threads-untrusted',
        uses: 1,
        seconds: 600,
        isOn: true,
      })
      expect(await limit.use('vera')).toBeUndefined()
      expect(await limit.use('vera')).toBeGreaterThan(0)

      expect(await chooseLimit(ada, 'threads-untrusted', 3)).toMatchObject({ uses: 3, usual: 1 })
      // As every process does when it's notified.
      await readChosenLimits(ada.db)
      for (const each of ['first', 'second', 'third'])
        expect([each, await limit.use('wim')]).toEqual([each, undefined])
      expect(await limit.use('wim')).toBeGreaterThan(0)
      expect((await postingLimits(ada)).filter(({ uses, usual }) => uses !== usual)).toEqual([
        {
          name: 'threads-untrusted',
          what: 'Threads',
          of: 'untrusted',
          seconds: 600,
          usual: 1,
          uses: 3,
        },
      ])

      expect(await chooseLimit(ada, 'threads-untrusted', null)).toMatchObject({ uses: 1 })
      await readChosenLimits(ada.db)
      expect(await limit.use('zoe')).toBeUndefined()
      expect(await limit.use('zoe')).toBeGreaterThan(0)
    }))

  test('an unknown limit is refused', () =>
    as('ada', async (ada) => {
      await expect(chooseLimit(ada, 'passwords', 9_000)).rejects.toMatchObject({ status: 404 })
    }))
})
