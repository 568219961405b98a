/** News about what people wrote, on a real database. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { visitor } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { type PersonRoot, personRootOf, rootOf } from '#app/api/auth/roots.server.ts'
import { deleteComment } from '#app/community/discussions/comments/comment-commands.server.ts'
import { sealNamed, threadKey } from '#app/community/discussions/posts/own-posts.server.ts'
import { muteThread } from '#app/community/discussions/threads/saved-threads.server.ts'
import { deleteThread } from '#app/community/discussions/threads/thread-commands.server.ts'
import { slow } from '#tests/support/amounts.ts'
import { routesOf } from '#tests/support/api.ts'
import { ctxAs, stranger } from '#tests/support/authors.ts'
import { later, testSecrets, withDatabase } from '#tests/support/database.ts'
import {
  ALL_NOTIFICATIONS,
  listNotifications,
  markAllRead,
  markRead,
  unreadCount,
} from '#tests/support/unlimited.ts'
import { notificationHandlers } from './feature.server.ts'
import { notificationContract } from './notification.contract.ts'
import { KEPT_DAYS, MENTIONS_MAX, NEWS_COMMENTS_MAX } from './notification.ts'
import { forgetReader, sweepNotifications } from './notification-commands.server.ts'
import { namesIn, notifyAuthor, notifyOfPost, notifyOfPosts } from './notification-tasks.server.ts'
import { hide, keyOf, newThread, say, write } from './notifications.fixture.ts'

const { as, outside } = withDatabase()

const sealed = (ctx: Ctx, threadId: string) => {
  const person = personRootOf(ctx) as PersonRoot
  return sealNamed(testSecrets, threadKey(person.root, threadId), person)
}

const notificationsOf = async (ctx: Ctx) => (await listNotifications(ctx)).notifications
const mute = (ctx: Ctx, threadId: string) => muteThread(ctx, threadId, true)

describe('a reply', () => {
  test('dana hears of a comment on her thread, with its words and author', () =>
    as('dana', async (dana) => {
      const { id, path } = await newThread(dana)
      const answer = await say(stranger(dana, 1), id, 'It is **true**, [see](https://a.example).')
      expect(await notificationsOf(dana)).toEqual([
        {
          id: expect.any(String),
          kind: 'reply',
          event: null,
          reason: null,
          count: 1,
          isRead: false,
          at: '2026-03-14T09:26Z',
          isAboutComment: false,
          thread: { id, title: 'Is it true about the Thursdays?', path, isMuted: false },
          company: null,
          job: null,
          score: null,
          href: `${path}#comment-${answer.id}`,
          by: `Anonymous · ${answer.author?.name}`,
          excerpt: 'It is true, see.',
        },
      ])
      expect(await unreadCount(dana)).toEqual({ unread: 1 })
    }))

  test('a comment’s author hears of a reply to it, and the thread’s author doesn’t', () =>
    as('dana', async (dana) => {
      const vera = stranger(dana, 1)
      const { id } = await newThread(dana)
      const comment = await say(vera, id, 'I heard otherwise')
      await markAllRead(dana)
      await say(stranger(dana, 2), id, 'Where?', { parentId: comment.id })
      expect(await notificationsOf(vera)).toMatchObject([
        { kind: 'reply', isAboutComment: true, count: 1 },
      ])
      expect(await unreadCount(dana)).toEqual({ unread: 0 })
    }))

  test('a member’s reply is news under the name it shows', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(stranger(dana, 1))
      await say(dana, id, 'Yes', { name: 'username' })
      expect(await notificationsOf(stranger(dana, 1))).toMatchObject([{ by: 'Dana' }])
    }))

  test('Spec §1: no one hears of a reply while enableDiscussions is off', () =>
    as('dana', async (ctx) => {
      const { id } = await newThread(ctx)
      await say(stranger(ctx, 1), id, 'Not at ours')
      const off = { ...ALL_NOTIFICATIONS, hasDiscussions: false }
      expect(await unreadCount(ctx)).toEqual({ unread: 1 })
      expect(await unreadCount(ctx, off)).toEqual({ unread: 0 })
      expect((await listNotifications(ctx, undefined, off)).notifications).toEqual([])
    }))

  test('dana’s own reply is no news to her', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      const mine = await say(dana, id, 'One more thing')
      await say(dana, id, 'And another', { parentId: mine.id })
      expect(await notificationsOf(dana)).toEqual([])
    }))

  test('replies count up until dana reads of them, and then start over', () =>
    as('dana', async (dana) => {
      const { id, path } = await newThread(dana)
      await say(stranger(dana, 1), id, 'One')
      const second = await say(later(stranger(dana, 2), 3), id, 'Two')
      expect(await notificationsOf(dana)).toMatchObject([
        {
          count: 2,
          isRead: false,
          at: '2026-03-14T09:29Z',
          excerpt: 'Two',
          href: `${path}#comment-${second.id}`,
        },
      ])
      expect(await unreadCount(dana)).toEqual({ unread: 1 })
      await markAllRead(dana)
      await say(later(stranger(dana, 1), 9), id, 'Three')
      expect(await notificationsOf(dana)).toMatchObject([
        { count: 1, isRead: false, excerpt: 'Three' },
      ])
    }))

  test('a reply counts once, however often its job runs, read or not', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      const first = await say(stranger(dana, 1), id, 'One')
      const second = await say(stranger(dana, 2), id, 'Two')
      for (const { id } of [first, second, first]) await notifyOfPost(dana, { kind: 'comment', id })
      expect(await notificationsOf(dana)).toMatchObject([{ count: 2, excerpt: 'Two' }])
      await markAllRead(dana)
      for (const { id } of [first, second]) await notifyOfPost(dana, { kind: 'comment', id })
      expect(await notificationsOf(dana)).toMatchObject([{ count: 2, isRead: true }])
    }))

  test('a reply whose job runs after the next one’s still counts', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      const first = await write(stranger(dana, 1), id, 'One')
      const second = await write(stranger(dana, 2), id, 'Two')
      for (const { id } of [second, first]) await notifyOfPost(dana, { kind: 'comment', id })
      expect(await notificationsOf(dana)).toMatchObject([{ count: 2, excerpt: 'Two' }])
    }))

  test('several replies at once, each with two jobs, count once each', async () => {
    const dana = { ...(await as('dana', async (ctx) => ctx)), db: outside() }
    const { id } = await newThread(dana, { name: 'username' })
    const [vera, wim] = [stranger(dana, 1), stranger(dana, 2)]
    const hers = (await write(vera, id, 'Hello')).author?.name
    const his = (await write(wim, id, 'Hello')).author?.name
    const ids: string[] = []
    // Two who are named in turn: rows that two tasks take in opposite order would be a deadlock.
    for (let n = 0; n < 4; n++) {
      const names = n % 2 ? `@${hers} @${his}` : `@${his} @${hers}`
      ids.push((await write(stranger(dana, 3), id, names)).id)
    }
    await Promise.all(
      [...ids, ...ids.reverse()].map((id) => notifyOfPost(dana, { kind: 'comment', id })),
    )
    const counts = [
      await notificationsOf(dana),
      await notificationsOf(vera),
      await notificationsOf(wim),
    ].map((news) => news.map(({ count }) => count))
    await deleteThread(dana, id)
    await dana.db.query(sql`delete from job_queue`)
    expect(counts).toEqual([[6], [4], [4]])
    expect(await notificationsOf(dana)).toEqual([])
  })

  test('a reply in a thread that dana muted is no news to her', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      await mute(dana, id)
      const vera = stranger(dana, 1)
      const hers = await say(vera, id, 'Anybody?')
      await say(stranger(dana, 2), id, 'Yes', { parentId: hers.id })
      expect(await notificationsOf(dana)).toEqual([])
      expect(await notificationsOf(vera)).toHaveLength(1)
    }))

  test('a hidden reply, or one in a hidden thread, is no news', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      const held = await write(stranger(dana, 1), id, 'Spam')
      await hide(dana, { kind: 'comment', id: held.id })
      await notifyOfPost(dana, { kind: 'comment', id: held.id })
      const other = await newThread(dana)
      const answer = await write(stranger(dana, 1), other.id, 'Spam')
      await hide(dana, { kind: 'thread', id: other.id })
      await notifyOfPost(dana, { kind: 'comment', id: answer.id })
      const [rows] = await dana.db.query(sql`select count(*) as n from notifications`)
      expect(rows).toEqual({ n: 0 })
    }))

  test('a reply held from the start is news once moderators show it', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      const held = await write(stranger(dana, 1), id, 'Not spam')
      await hide(dana, { kind: 'comment', id: held.id })
      await notifyOfPost(dana, { kind: 'comment', id: held.id })
      expect(await notificationsOf(dana)).toEqual([])
      await dana.db.query(sql`update comments set hidden = null where id = ${held.id}`)
      const restored = { kind: 'comment', id: held.id, event: 'restored', reason: null } as const
      for (let n = 0; n < 2; n++) await notifyAuthor(later(dana, 1_440), restored)
      expect(await notificationsOf(dana)).toMatchObject([
        { kind: 'reply', count: 1, excerpt: 'Not spam', at: '2026-03-15T09:26Z' },
      ])
    }))

  test('a reply that’s deleted before its job runs is no news, and a new thread isn’t either', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      const vera = stranger(dana, 1)
      const gone = await write(vera, id, 'Never mind')
      await deleteComment(vera, gone.id)
      await notifyOfPost(dana, { kind: 'comment', id: gone.id })
      await notifyOfPost(dana, { kind: 'thread', id })
      expect(await notificationsOf(dana)).toEqual([])
    }))

  test('a deleted or hidden reply is no news, and it is again once it shows', () =>
    as('dana', async (dana) => {
      const { id, path } = await newThread(dana)
      const vera = stranger(dana, 1)
      const deleted = await say(vera, id, 'Never mind')
      expect(await unreadCount(dana)).toEqual({ unread: 1 })
      await deleteComment(vera, deleted.id)
      expect(await listNotifications(dana)).toEqual({ notifications: [], next: null, unread: 0 })
      const stays = await say(vera, id, 'It is true')
      const hidden = await say(vera, id, 'Rude words')
      const answered = await say(vera, id, 'Well')
      await say(stranger(dana, 2), id, 'What?', { parentId: answered.id })
      expect(await notificationsOf(dana)).toMatchObject([{ count: 3, excerpt: 'Well' }])
      await deleteComment(vera, answered.id)
      await hide(dana, { kind: 'comment', id: hidden.id })
      expect(await notificationsOf(dana)).toMatchObject([
        { count: 1, excerpt: 'It is true', href: `${path}#comment-${stays.id}` },
      ])
      await hide(dana, { kind: 'comment', id: stays.id })
      expect(await unreadCount(dana)).toEqual({ unread: 0 })
      await dana.db.query(sql`update comments set hidden = null where id = ${hidden.id}`)
      expect(await notificationsOf(dana)).toMatchObject([{ count: 1, excerpt: 'Rude words' }])
      expect(await unreadCount(dana)).toEqual({ unread: 1 })
    }))

  test('a reply that’s deleted after dana read of it leaves the next one’s news alone', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      const vera = stranger(dana, 1)
      const first = await say(vera, id, 'One')
      await markAllRead(dana)
      await say(later(vera, 3), id, 'Two')
      await deleteComment(vera, first.id)
      expect(await notificationsOf(dana)).toMatchObject([
        { count: 1, isRead: false, excerpt: 'Two' },
      ])
    }))

  test('a crowd’s replies count beyond those that are remembered', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      const written: string[] = []
      for (let n = 0; n < NEWS_COMMENTS_MAX + 2; n++)
        written.push((await write(stranger(dana, 1), id, `Number ${n}`)).id)
      await notifyOfPosts(
        dana,
        written.map((id) => ({ kind: 'comment', id })),
      )
      expect(await notificationsOf(dana)).toMatchObject([{ count: NEWS_COMMENTS_MAX + 2 }])
      await deleteComment(stranger(dana, 1), written.at(-1) as string)
      expect(await notificationsOf(dana)).toMatchObject([{ count: NEWS_COMMENTS_MAX + 1 }])
    }))

  test('a reply’s news is hidden and uncounted while its thread is hidden', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(stranger(dana, 1))
      const mine = await say(dana, id, 'Mine')
      await say(stranger(dana, 2), id, 'Well', { parentId: mine.id })
      await hide(dana, { kind: 'thread', id })
      expect(await listNotifications(dana)).toEqual({ notifications: [], next: null, unread: 0 })
    }))

  test('a reply’s news goes with its thread', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      const answer = await say(stranger(dana, 1), id, 'One')
      await say(dana, id, 'Two', { parentId: answer.id })
      await deleteThread(dana, id)
      expect(await notificationsOf(dana)).toEqual([])
      expect(await unreadCount(stranger(dana, 1))).toEqual({ unread: 0 })
    }))
})

describe('a mention', () => {
  test('a mention by pseudonym is news to the person with that name in the thread', () =>
    as('dana', async (dana) => {
      const [vera, wim] = [stranger(dana, 1), stranger(dana, 2)]
      const { id } = await newThread(dana)
      const hers = await say(vera, id, 'I think so')
      await say(wim, id, `Ask @${hers.author?.name}, or **@${hers.author?.name?.toLowerCase()}**!`)
      expect(await notificationsOf(vera)).toMatchObject([
        { kind: 'mention', count: 1, isAboutComment: false },
      ])
    }))

  test('a mention by a name with a number means that person, not the one without', () =>
    as('dana', async (dana) => {
      const [vera, wim, xeni] = [stranger(dana, 1), stranger(dana, 2), stranger(dana, 3)]
      const { id } = await newThread(dana)
      for (const [ctx, name] of [
        [vera, 'Candid Heron'],
        [wim, 'Candid Heron 2'],
      ] as const)
        await dana.db.query(sql`
          insert into thread_names (thread_id, key, person_sealed, name)
          values (${id}, ${threadKey(personRootOf(ctx)?.root as Buffer, id)}, ${sealed(ctx, id)}, ${name})`)
      await say(xeni, id, 'As @Candid Heron 2 said')
      expect([await unreadCount(vera), await unreadCount(wim)]).toEqual([
        { unread: 0 },
        { unread: 1 },
      ])
      await say(xeni, id, 'And @Candid Heron 3 times')
      expect(await unreadCount(vera)).toEqual({ unread: 1 })
    }))

  test('a mention by username is news to the member who signed with it in that thread, and not elsewhere', () =>
    as('dana', async (dana) => {
      const vera = stranger(dana, 1)
      const signed = await newThread(vera)
      const unsigned = await newThread(vera)
      await say(dana, signed.id, 'With my name', { name: 'username' })
      await say(dana, unsigned.id, 'Without')
      await say(vera, signed.id, 'Thanks, @dana.')
      await say(vera, unsigned.id, 'Is that you, @Dana?')
      const news = await notificationsOf(dana)
      expect(news).toMatchObject([{ kind: 'mention', thread: { id: signed.id } }])
    }))

  test('a mention in a reply to the same person is just the reply’s news', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana, { name: 'username' })
      await say(stranger(dana, 1), id, '@Dana, @Dana: no')
      expect(await notificationsOf(dana)).toMatchObject([{ kind: 'reply', count: 1 }])
    }))

  test('a mention of oneself is no news, and neither is one in a muted thread', () =>
    as('dana', async (dana) => {
      const vera = stranger(dana, 1)
      const { id } = await newThread(vera)
      await say(dana, id, 'I am @Dana', { name: 'username' })
      expect(await notificationsOf(dana)).toEqual([])
      await mute(dana, id)
      await say(stranger(dana, 2), id, '@Dana?')
      expect(await notificationsOf(dana)).toEqual([])
    }))

  test('mentions count up in one row across the thread', () =>
    as('dana', async (dana) => {
      const vera = stranger(dana, 1)
      const { id } = await newThread(vera)
      await say(dana, id, 'Me', { name: 'username' })
      const second = await say(stranger(dana, 2), id, '@Dana one')
      await say(stranger(dana, 3), id, '@Dana two', { parentId: second.id })
      expect(await notificationsOf(dana)).toMatchObject([{ kind: 'mention', count: 2 }])
    }))

  test('a mention of a crowd reaches the first of them', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      const crowd = Array.from({ length: MENTIONS_MAX + 3 }, (_, n) => stranger(dana, n + 1))
      const names: string[] = []
      for (const ctx of crowd) names.push((await say(ctx, id, 'Here')).author?.name ?? '')
      await say(dana, id, names.map((name) => `@${name}`).join(', '))
      const counts: number[] = []
      for (const ctx of crowd) counts.push((await unreadCount(ctx)).unread)
      expect(counts).toEqual(crowd.map((_, n) => (n < MENTIONS_MAX ? 1 : 0)))
    }))

  test.each([
    ['@Candid Heron 2!', [['candid heron 2', 'candid heron', 'candid']]],
    ['@Candid\nHeron', [['candid heron', 'candid']]],
    ['(@dana_) and @ada-lee', [['dana_', 'dana'], ['ada-lee']]],
    ['dana@kettle.example https://a.example/@dana @@dana @da', []],
    // People mentioned in the quoted text got their notification then.
    ['> @dana said\n> so, @ada\n\n@erin, is that true? 2 > 1, @olga', [['erin'], ['olga']]],
  ])('%j names %j', (text, names) => {
    expect(namesIn(text)).toEqual(names)
  })

  test('ten thousand characters of mentions are read at once', () => {
    for (const text of ['@', '@a', '@ab ', '@abc d ', '@abc '].map((it) =>
      it.repeat(10_000 / it.length),
    )) {
      const before = process.cpuUsage()
      namesIn(text)
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000)
    }
  })
})

describe('a decision of moderators', () => {
  const notice = (id: string, event: 'removed' | 'restored' | 'held' | 'suspended' | 'locked') => ({
    kind: 'thread' as const,
    id,
    event,
    reason: event === 'removed' ? 'spam' : null,
  })

  test('a decision is news to the author, even of a muted thread, once the post no longer shows', () =>
    as('dana', async (dana) => {
      const { id, path } = await newThread(dana)
      await mute(dana, id)
      await hide(dana, { kind: 'thread', id })
      await notifyAuthor(dana, notice(id, 'removed'))
      expect(await notificationsOf(dana)).toMatchObject([
        {
          kind: 'moderation',
          event: 'removed',
          reason: 'spam',
          isAboutComment: false,
          by: null,
          href: '/my-discussions?tab=moderation',
          thread: { title: 'Is it true about the Thursdays?', path },
        },
      ])
      expect(await unreadCount(dana)).toEqual({ unread: 1 })
    }))

  test('a decision replaces the one before, and links to the post once it shows again', () =>
    as('dana', async (dana) => {
      const { id, path } = await newThread(dana)
      await hide(dana, { kind: 'thread', id })
      await notifyAuthor(dana, notice(id, 'removed'))
      await markAllRead(dana)
      await dana.db.query(sql`update threads set hidden = null where id = ${id}`)
      await notifyAuthor(dana, notice(id, 'restored'))
      expect(await notificationsOf(dana)).toMatchObject([
        { event: 'restored', reason: null, isRead: false, href: path },
      ])
    }))

  test('a decision is news once, even if its job runs twice, and not if it’s outdated', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      await notifyAuthor(dana, notice(id, 'held'))
      await notifyAuthor(dana, notice(id, 'locked'))
      expect(await notificationsOf(dana)).toEqual([])
      await hide(dana, { kind: 'thread', id })
      await notifyAuthor(dana, notice(id, 'removed'))
      await markAllRead(dana)
      await notifyAuthor(dana, notice(id, 'removed'))
      await notifyAuthor(dana, notice(id, 'held'))
      expect(await notificationsOf(dana)).toMatchObject([{ event: 'removed', isRead: true }])
      await notifyAuthor(later(dana, 2 * 1_440), notice(id, 'removed'))
      expect(await unreadCount(dana)).toEqual({ unread: 1 })
    }))

  test('a decision about a comment names it, to its author alone', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      const vera = stranger(dana, 1)
      const hers = await say(vera, id, 'Rude words')
      await markAllRead(dana)
      await hide(dana, { kind: 'comment', id: hers.id })
      const removal = { ...notice(hers.id, 'removed'), kind: 'comment' as const }
      await notifyAuthor(dana, removal)
      expect(await notificationsOf(vera)).toMatchObject([
        { event: 'removed', isAboutComment: true, excerpt: 'Rude words' },
      ])
      expect(await unreadCount(dana)).toEqual({ unread: 0 })
    }))

  test('a decision in someone else’s hidden thread doesn’t show its title', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(stranger(dana, 1), { title: 'Hans Muster lives here' })
      const mine = await say(dana, id, 'I did not know')
      await notifyAuthor(dana, { ...notice(mine.id, 'suspended'), kind: 'comment' })
      expect(JSON.stringify(await notificationsOf(dana))).toContain('Hans Muster')
      await hide(dana, { kind: 'thread', id })
      const news = await notificationsOf(dana)
      expect(news).toMatchObject([{ event: 'suspended', href: '/my-discussions?tab=moderation' }])
      expect(JSON.stringify(news)).not.toMatch(/Hans|hans/)
    }))

  test('a decision about a comment goes with it, even if a stub stays', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(stranger(dana, 1))
      const mine = await say(dana, id, 'Mine')
      await write(stranger(dana, 2), id, 'Well', { parentId: mine.id })
      const notice = { kind: 'comment', id: mine.id, event: 'restored', reason: null } as const
      await notifyAuthor(dana, notice)
      expect((await notificationsOf(dana)).map(({ kind }) => kind)).toContain('moderation')
      await deleteComment(dana, mine.id)
      expect((await notificationsOf(dana)).map(({ kind }) => kind)).not.toContain('moderation')
    }))

  test('a decision about a missing post is no news', () =>
    as('dana', async (dana) => {
      for (const kind of ['thread', 'comment'] as const)
        await notifyAuthor(dana, { ...notice(crypto.randomUUID(), 'suspended'), kind })
      expect(await notificationsOf(dana)).toEqual([])
    }))
})

describe('reading', () => {
  test('dana marks her news as read and unread, and vera’s doesn’t exist for her', () =>
    as('dana', async (dana) => {
      const vera = stranger(dana, 1)
      const [hers, mine] = [await newThread(vera), await newThread(dana)]
      await say(dana, hers.id, 'Hello')
      await say(vera, mine.id, 'Hello')
      const [danas] = await notificationsOf(dana)
      const [veras] = await notificationsOf(vera)
      const idOf = (news: { id: string } | undefined) => news?.id as string
      await expect(markRead(dana, idOf(veras), true)).rejects.toMatchObject({ status: 404 })
      await expect(markRead(dana, crypto.randomUUID(), true)).rejects.toMatchObject({ status: 404 })
      expect(await markRead(dana, idOf(danas), true)).toEqual({ unread: 0 })
      expect(await markRead(dana, idOf(danas), false)).toEqual({ unread: 1 })
      expect(await markAllRead(dana)).toEqual({ unread: 0 })
      expect(await unreadCount(vera)).toEqual({ unread: 1 })
    }))

  test('a browser without an anonymous id has no news, and can’t touch anyone’s', () =>
    as('dana', async (dana) => {
      const { id } = await newThread(dana)
      await say(stranger(dana, 1), id, 'Hello')
      const [news] = await notificationsOf(dana)
      const nobody = ctxAs(dana, visitor)
      expect(await listNotifications(nobody)).toEqual({ notifications: [], next: null, unread: 0 })
      expect(await markAllRead(nobody)).toEqual({ unread: 0 })
      await expect(markRead(nobody, news?.id as string, true)).rejects.toMatchObject({
        status: 404,
      })
      expect(await unreadCount(dana)).toEqual({ unread: 1 })
    }))

  test('pages have twenty, newest first and without repeats, and refuse a strange marker', () =>
    as('dana', async (dana) => {
      const vera = stranger(dana, 1)
      for (let n = 0; n < 45; n++) {
        const { id } = await newThread(dana)
        await say(later(vera, n % 7), id, `Number ${n}`)
      }
      const seen: { id: string; at: string }[] = []
      let after: string | undefined
      do {
        const page = await listNotifications(dana, after)
        expect(page.unread).toBe(45)
        expect(page.notifications.length).toBeLessThanOrEqual(20)
        seen.push(...page.notifications)
        after = page.next ?? undefined
      } while (after)
      expect(new Set(seen.map(({ id }) => id)).size).toBe(45)
      expect(seen.map(({ at }) => at)).toEqual(
        seen
          .map(({ at }) => at)
          .sort()
          .reverse(),
      )
      for (const marker of ['x', Buffer.from('["mine","1","x"]').toString('base64url')])
        await expect(listNotifications(dana, marker)).rejects.toMatchObject({ status: 400 })
    }))

  slow.test('the bell counts up to a hundred, and the list shows any number', () =>
    as('dana', async (dana) => {
      const vera = stranger(dana, 1)
      const ids: string[] = []
      for (let n = 0; n < 110; n++) {
        const { id } = await newThread(dana)
        await say(vera, id, 'Hello')
        ids.push(id)
      }
      expect(await unreadCount(dana)).toEqual({ unread: 100 })
      // Deleted notifications leave no gap that would hide later ones.
      await dana.db.query(sql`delete from threads where id = any (${ids.slice(20, 60)}::uuid[])`)
      expect(await unreadCount(dana)).toEqual({ unread: 70 })
      const listed: string[] = []
      for (let after: string | undefined; ; ) {
        const { notifications, next } = await listNotifications(dana, after)
        listed.push(...notifications.map(({ id }) => id))
        if (next === null) break
        after = next
      }
      expect(new Set(listed).size).toBe(70)
      await markAllRead(dana)
      expect(await unreadCount(dana)).toEqual({ unread: 0 })
    }),
  )

  test('news that counts up month after month stays one row, and isn’t swept', () =>
    as('dana', async (dana) => {
      const vera = stranger(dana, 1)
      const { id } = await newThread(dana)
      await say(vera, id, 'Hello')
      for (let month = 1; month <= 8; month++) {
        const then = later(vera, month * 30 * 1_440)
        await say(then, id, 'Still here')
        expect(await unreadCount(later(dana, month * 30 * 1_440))).toEqual({ unread: 1 })
        await sweepNotifications(then)
      }
      const rows = await dana.db.query<{ count: number }>(sql`select count from notifications`)
      expect(rows).toEqual([{ count: 9 }])
    }))

  test('two pieces of one person’s news have nothing in common', () =>
    as('dana', async (dana) => {
      const vera = stranger(dana, 1)
      const threads = [await newThread(dana), await newThread(dana)]
      for (const { id } of threads) await say(vera, id, 'Hello')
      const rows = await dana.db.query<{ key: string; ownRowKey: string }>(sql`
        select encode(key, 'hex') as key, encode(own_row_key, 'hex') as "ownRowKey" from notifications`)
      expect(new Set(rows.flatMap(({ key, ownRowKey }) => [key, ownRowKey])).size).toBe(4)
    }))

  test('S5: no answer has anyone’s key or id', () =>
    as('dana', async (dana) => {
      const vera = stranger(dana, 1)
      const { id } = await newThread(dana, { name: 'username' })
      const hers = await say(vera, id, 'Hello')
      await say(dana, id, 'Hello', { parentId: hers.id, name: 'username' })
      await notifyAuthor(dana, { kind: 'thread', id, event: 'moved', reason: null })
      for (const [reader, count] of [
        [dana, 2],
        [vera, 1],
      ] as const) {
        const app = routesOf(notificationContract, notificationHandlers(ALL_NOTIFICATIONS), reader)
        const { statusCode, body } = await app.inject('/api/v1/notifications')
        expect(statusCode).toBe(200)
        expect(JSON.parse(body).notifications).toHaveLength(count)
        for (const secret of [keyOf(dana), keyOf(vera), dana.actor.account?.id as string])
          expect(body).not.toContain(secret)
        const unread = await app.inject('/api/v1/notifications/unread')
        expect(unread.json()).toEqual({ unread: count })
        const read = await app.inject({
          method: 'PUT',
          url: `/api/v1/notifications/${JSON.parse(body).notifications[0].id}/read`,
          payload: { isRead: true },
        })
        expect(read.json()).toEqual({ unread: count - 1 })
        const all = await app.inject({ method: 'POST', url: '/api/v1/notifications/read' })
        expect([all.statusCode, all.json()]).toEqual([200, { unread: 0 }])
      }
    }))
})

describe('news that’s deleted', () => {
  test('news goes with its account, and no one else’s does', () =>
    as('dana', async (dana) => {
      const vera = stranger(dana, 1)
      const [hers, mine] = [await newThread(vera), await newThread(dana)]
      await say(dana, hers.id, 'Hello')
      await say(vera, mine.id, 'Hello')
      await forgetReader(dana, rootOf(dana) as Buffer)
      await forgetReader(dana, rootOf(dana) as Buffer)
      expect(await unreadCount(dana)).toEqual({ unread: 0 })
      expect(await unreadCount(vera)).toEqual({ unread: 1 })
      expect(await dana.db.query(sql`select from notifications`)).toHaveLength(1)
    }))

  test('old news goes, and younger news stays', () =>
    as('dana', async (dana) => {
      const vera = stranger(dana, 1)
      for (const minutes of [0, 1])
        await say(later(vera, minutes), (await newThread(dana)).id, 'Hi')
      const then = later(dana, KEPT_DAYS * 1_440)
      await sweepNotifications(then)
      expect(await notificationsOf(dana)).toHaveLength(2)
      await sweepNotifications(later(then, 1))
      expect(await notificationsOf(dana)).toMatchObject([{ at: '2026-03-14T09:27Z' }])
    }))
})
