/** Company rooms on a real database: who enters, who is called what, and what is kept. D65. */

import { randomBytes, randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { TaskParts } from '#app/api/feature.server.ts'
import { ROOM_HOLDERS_MIN } from '#app/companies/badges/badge.ts'
import { showBadges } from '#app/companies/badges/post-badges.server.ts'
import { CHANGED_MEANWHILE } from '#app/kit/writing/edit-conflict.server.ts'
import { appealRoomPost } from '#app/moderation/appeal-commands.server.ts'
import { keepPost, removePost } from '#app/moderation/decision-commands.server.ts'
import { moderationQueue } from '#app/moderation/queue-queries.server.ts'
import { reportPost, reportRoomPost } from '#app/moderation/report-commands.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { slow } from '#tests/support/amounts.ts'
import { later, NOW, withDatabase } from '#tests/support/database.ts'
import {
  apart,
  badgeFor,
  entering,
  type Holder,
  holderFor,
  inRoom,
  reportingInRoom,
  roomHolder,
  roomKey,
} from '#tests/support/holders.ts'
import { issuerOn } from '#tests/support/issuer.ts'
import { accountOf, settledRater } from '#tests/support/raters.ts'
import { rooms } from './feature.server.ts'
import { ROOM_REFUSALS } from './room.ts'
import {
  changeInRoom,
  enterRoom,
  forgetChallenges,
  makeChallenge,
  removeFromRoom,
  writeInRoom,
} from './room-commands.server.ts'
import { roomThread, roomThreads } from './room-queries.server.ts'

const { as, outside } = withDatabase()
let today = dayOf(NOW)
const issuer = issuerOn(() => today)
afterAll(() => issuer.stop())
beforeEach(() => {
  today = dayOf(NOW)
})

const DOMAIN = 'acme.example'
const SPAM = { reason: 'spam', note: '' } as const

async function acme({ db }: Ctx, name = 'Acme', website = 'https://acme.example') {
  const [company] = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key, website)
    values (${name}, ${name.toLowerCase()}, ${website}) returning id`)
  return company?.id as string
}

/** So many others have a badge of this quarter. */
const colleagues = async (ctx: Ctx, count: number) => {
  for (let n = 0; n < count; n++)
    await ctx.db.query(sql`
      insert into badge_holders (address_hash, link_hash, domain, quarter)
      values (${randomBytes(32)}, ${randomBytes(32)}, ${DOMAIN}, '2026-Q1')`)
}

async function memberOf(ctx: Ctx, n: number) {
  const person = await settledRater(ctx, n)
  return [await holderFor(person, issuer), person] as const
}

async function colleague(ctx: Ctx, companyId: string, n: number, domain = DOMAIN) {
  const [holder, person] = await memberOf(ctx, n)
  const email = `colleague-${n}@${domain}`
  return badgeFor(person, issuer, { holder, companyId, domain, email })
}

/** @param day of their proof */
const way = (ctx: Ctx, badge: Holder, day = dayOf(ctx.now())) =>
  entering(badge, DOMAIN, day, makeChallenge(ctx))
const enter = (ctx: Ctx, companyId: string, badge: Holder) =>
  enterRoom(apart(ctx), { companyId, ...way(ctx, badge) }, issuer)

const freely = (ctx: Ctx) => ({ ...apart(ctx), requireWritingPause: async () => {} })

/** An open room of which two are members. */
async function anOpenRoom(ctx: Ctx) {
  const companyId = await acme(ctx)
  const [dana, carl] = [await colleague(ctx, companyId, 1), await colleague(ctx, companyId, 2)]
  await colleagues(ctx, ROOM_HOLDERS_MIN - 2)
  await showBadges(ctx)
  return {
    companyId,
    dana: { badge: dana, ...(await enter(ctx, companyId, dana)) },
    carl: { badge: carl, ...(await enter(ctx, companyId, carl)) },
  }
}

type Member = { badge: Holder; pass: string }
const begin = async (
  ctx: Ctx,
  { badge, pass }: Member,
  title = 'Who else has to move?',
  body = 'Say.',
) => {
  const id = randomUUID()
  return writeInRoom(freely(ctx), inRoom(badge, pass, { id, threadId: id, title, body }), issuer)
}
const comment = (
  ctx: Ctx,
  { badge, pass }: Member,
  threadId: string,
  body: string,
  id = randomUUID(),
) => writeInRoom(freely(ctx), inRoom(badge, pass, { id, threadId, title: null, body }), issuer)
const postsOf = async (ctx: Ctx, { pass, badge }: Member, id: string) =>
  (await roomThread(apart(ctx), id, { pass, holder: roomHolder(badge, id) })).posts

describe('entering', () => {
  test('a room opens the night after thirty people have a badge of one quarter', () =>
    as('dana', async (ctx) => {
      const companyId = await acme(ctx)
      const badge = await colleague(ctx, companyId, 1)
      await colleagues(ctx, ROOM_HOLDERS_MIN - 2)
      await showBadges(ctx)
      await expect(enter(ctx, companyId, badge)).rejects.toMatchObject({
        status: 409,
        code: 'room-closed',
        message: ROOM_REFUSALS.closed(),
      })
      await colleague(ctx, companyId, 2)
      await expect(enter(ctx, companyId, badge)).rejects.toMatchObject({ status: 409 })
      await showBadges(ctx)
      expect(await enter(ctx, companyId, badge)).toMatchObject({ day: '2026-03-14' })
    }))

  test('only that company’s badge of that day opens a room, and a rating credential doesn’t', () =>
    as('dana', async (ctx) => {
      const { companyId } = await anOpenRoom(ctx)
      const other = await acme(ctx, 'Globex', 'https://globex.example')
      const globex = await colleague(ctx, other, 3, 'globex.example')
      const unproven = { status: 400, message: ROOM_REFUSALS.invalidProof }
      await expect(enter(ctx, companyId, globex)).rejects.toMatchObject(unproven)
      const [holder] = await memberOf(ctx, 4)
      await expect(enter(ctx, companyId, holder)).rejects.toMatchObject(unproven)
      const badge = await colleague(ctx, companyId, 5)
      await expect(
        enterRoom(ctx, { companyId, ...way(ctx, badge, '2026-03-13') }, issuer),
      ).rejects.toMatchObject(unproven)
      // Of another company's door it is no key.
      await expect(
        enterRoom(ctx, { companyId: other, ...way(ctx, badge) }, issuer),
      ).rejects.toMatchObject({ status: 409 })
    }))

  test('a challenge works once within ten minutes, so a recorded request opens no room', () =>
    as('dana', async (ctx) => {
      const { companyId } = await anOpenRoom(ctx)
      const badge = await colleague(ctx, companyId, 5)
      const recorded = way(ctx, badge)
      const send = (ctx: Ctx, sent = recorded) =>
        enterRoom(apart(ctx), { companyId, ...sent }, issuer)
      const used = { status: 409, message: ROOM_REFUSALS.challenge }
      expect((await send(ctx)).pass).toBeTruthy()
      await expect(send(ctx)).rejects.toMatchObject(used)
      await expect(send(later(ctx, 12), way(ctx, badge))).rejects.toMatchObject(used)
      await expect(send(later(ctx, -12), way(ctx, badge))).rejects.toMatchObject(used)
      for (const challenge of ['', 'mine', ctx.secrets.seal('["x",99999999]', 'room pass')])
        await expect(
          send(ctx, entering(badge, DOMAIN, dayOf(ctx.now()), challenge)),
        ).rejects.toMatchObject(used)
      // Nor does another one fit what was proven with the first.
      await expect(
        send(ctx, { ...way(ctx, badge), challenge: makeChallenge(ctx) }),
      ).rejects.toMatchObject({ status: 400 })
      await forgetChallenges(later(ctx, 24 * 60))
      expect(await ctx.db.query(sql`select from used_challenges`)).toEqual([])
    }))

  slow.test('a pass is valid until midnight and for one room', () =>
    as('dana', async (ctx) => {
      const { dana } = await anOpenRoom(ctx)
      const { id } = await begin(ctx, dana)
      const gone = { status: 410, message: ROOM_REFUSALS.pass }
      for (const pass of [
        '',
        'nothing',
        dana.pass.slice(0, -2),
        ctx.secrets.seal('{}', 'badge link'),
      ])
        await expect(roomThreads(apart(ctx), { pass })).rejects.toMatchObject(gone)
      const tomorrow = later(ctx, 24 * 60)
      await expect(roomThreads(tomorrow, dana)).rejects.toMatchObject(gone)
      await expect(comment(tomorrow, dana, id, 'Late')).rejects.toMatchObject(gone)
    }),
  )
})

describe('writing', () => {
  test('everyone has one name in a thread, and no one sees others’ posts as their own', () =>
    as('dana', async (ctx) => {
      const { dana, carl } = await anOpenRoom(ctx)
      const { id, name } = await begin(ctx, dana)
      const answer = await comment(ctx, carl, id, 'Me. **Next month.**')
      expect((await comment(ctx, dana, id, 'Thank you')).name).toBe(name)
      expect(answer.name).not.toBe(name)
      await begin(ctx, dana, 'Another thing')
      const posts = await postsOf(ctx, dana, id)
      expect(posts).toMatchObject([
        { name, isOwn: true, month: '2026-03', isNew: true, body: 'Say.' },
        {
          name: answer.name,
          isOwn: false,
          body: null,
          html: '<p>Me. <strong>Next month.</strong></p>',
        },
        { name, isOwn: true },
      ])
      const { threads } = await roomThreads(apart(ctx), carl)
      expect(threads).toMatchObject([
        { title: 'Another thing', comments: 0 },
        { id, title: 'Who else has to move?', comments: 2, month: '2026-03', isNew: true },
      ])
      expect(JSON.stringify([posts, threads])).not.toMatch(/account|_key|"place|"room_place|T\d\d:/)
    }))

  slow.test('the name stays the same, however the thread’s id is spelled', () =>
    as('dana', async (ctx) => {
      const { dana } = await anOpenRoom(ctx)
      const { id } = await begin(ctx, dana)
      // The proof is for the thread as it is spelled here, which no thread is.
      for (const spelled of [id.toUpperCase(), `{${id}}`, id.replaceAll('-', '')])
        await expect(comment(ctx, dana, spelled, 'Me')).rejects.toMatchObject({
          status: 400,
          message: ROOM_REFUSALS.invalidProof,
        })
      const post = randomUUID().toUpperCase()
      await expect(
        writeInRoom(
          freely(ctx),
          inRoom(dana.badge, dana.pass, { id: post, threadId: post, title: 'Who else?', body: '' }),
          issuer,
        ),
      ).rejects.toMatchObject({ status: 400 })
      expect(await postsOf(ctx, dana, id)).toHaveLength(1)
    }),
  )

  test('the nightly run forgets on which day posts were written', () =>
    as('dana', async (ctx) => {
      const { dana } = await anOpenRoom(ctx)
      const { id } = await begin(ctx, dana)
      const [forget] = rooms.nightly?.({ db: ctx.db } as TaskParts) ?? []
      await forget?.run()
      expect(await postsOf(ctx, dana, id)).toMatchObject([{ month: '2026-03', isNew: false }])
      const { threads } = await roomThreads(apart(ctx), dana)
      expect(threads).toMatchObject([{ month: '2026-03', isNew: false }])
    }))

  slow.test('threads with the latest comments come first', () =>
    as('dana', async (ctx) => {
      const { dana, carl } = await anOpenRoom(ctx)
      const first = await begin(ctx, dana, 'The first one')
      await begin(ctx, dana, 'The second one')
      await comment(ctx, carl, first.id, 'Up')
      const titles = (await roomThreads(apart(ctx), dana)).threads.map(({ title }) => title)
      expect(titles).toEqual(['The first one', 'The second one'])
    }),
  )

  test('a post sent twice is one post, and another person’s number is refused', () =>
    as('dana', async (ctx) => {
      const { dana, carl } = await anOpenRoom(ctx)
      const { id } = await begin(ctx, dana)
      const number = randomUUID()
      const one = await comment(ctx, dana, id, 'Once', number)
      expect(await comment(ctx, dana, id, 'Once', number)).toEqual(one)
      expect(await postsOf(ctx, dana, id)).toHaveLength(2)
      await expect(comment(ctx, carl, id, 'Mine', number)).rejects.toMatchObject({
        status: 409,
        message: ROOM_REFUSALS.taken,
      })
    }))

  slow.test('a post sent twice at once is one post', async () => {
    // On connections of their own, as two requests are.
    const db = outside()
    const ctx = { ...(await as('dana', async (ctx) => ctx)), db }
    const number = randomUUID()
    try {
      const { dana } = await anOpenRoom(ctx)
      const { id } = await begin(ctx, dana)
      const send = () => comment(ctx, dana, id, 'Once', number)
      const [one, two] = await Promise.all([send(), send()])
      expect(one).toEqual(two)
      expect(await postsOf(ctx, dana, id)).toHaveLength(2)
    } finally {
      for (const table of ['room_posts', 'badge_holders', 'badge_domains', 'companies'])
        await db.script(`delete from ${table}`)
      await db.query(sql`delete from accounts where id = any (${[1, 2].map(accountOf)}::uuid[])`)
    }
  })

  slow.test('another text under a used key is refused, even after the first is edited', () =>
    as('dana', async (ctx) => {
      const { dana } = await anOpenRoom(ctx)
      const { id } = await begin(ctx, dana)
      const used = { status: 409, code: 'idempotency-key-used' }
      const begun = inRoom(dana.badge, dana.pass, {
        id,
        threadId: id,
        title: 'Who else has to move?',
        body: 'Another text',
      })
      await expect(writeInRoom(freely(ctx), begun, issuer)).rejects.toMatchObject(used)
      const number = randomUUID()
      const once = await comment(ctx, dana, id, 'Once', number)
      await expect(comment(ctx, dana, id, 'Twice', number)).rejects.toMatchObject(used)
      await changeInRoom(apart(ctx), number, {
        key: roomKey(dana.badge, id),
        title: null,
        body: 'Twice',
      })
      expect(await comment(ctx, dana, id, 'Once', number)).toEqual(once)
      await expect(comment(ctx, dana, id, 'Twice', number)).rejects.toMatchObject(used)
      expect(await postsOf(ctx, dana, id)).toHaveLength(2)
    }),
  )

  test('a changed letter, a stolen pass, an unknown thread and empty words are refused', () =>
    as('dana', async (ctx) => {
      const { dana, carl } = await anOpenRoom(ctx)
      const { id } = await begin(ctx, dana)
      const said = { id: randomUUID(), threadId: id, title: null, body: 'Mine' }
      const sent = inRoom(carl.badge, carl.pass, said)
      const write = (change: object) => writeInRoom(freely(ctx), { ...sent, ...change }, issuer)
      const unproven = { status: 400, message: ROOM_REFUSALS.invalidProof }
      await expect(write({ body: 'Theirs' })).rejects.toMatchObject(unproven)
      await expect(write({ holder: roomHolder(dana.badge, id) })).rejects.toMatchObject(unproven)
      await expect(write({ threadId: randomUUID() })).rejects.toMatchObject(unproven)
      await expect(comment(ctx, dana, randomUUID(), 'Where?')).rejects.toMatchObject({
        status: 404,
      })
      for (const blank of [' \n ', '\u3164', '&nbsp;'])
        await expect(comment(ctx, dana, id, blank)).rejects.toMatchObject({ status: 400 })
      await expect(begin(ctx, dana, 'a')).rejects.toMatchObject({ status: 400 })
      expect(await postsOf(ctx, dana, id)).toHaveLength(1)
    }))

  test('authors edit and remove their own posts with the key, and others’ comments stay', () =>
    as('dana', async (ctx) => {
      const { dana, carl } = await anOpenRoom(ctx)
      const { id } = await begin(ctx, dana)
      const mine = await comment(ctx, carl, id, 'Mien')
      const theirs = roomKey(dana.badge, id)
      const key = roomKey(carl.badge, id)
      const missing = { status: 404, message: ROOM_REFUSALS.post }
      const words = { title: null, body: 'Mine' }
      await expect(
        changeInRoom(apart(ctx), mine.id, { key: theirs, ...words }),
      ).rejects.toMatchObject(missing)
      await expect(removeFromRoom(apart(ctx), mine.id, theirs)).rejects.toMatchObject(missing)
      await changeInRoom(apart(ctx), mine.id, { key, ...words })
      // Another device has the words before these, and would take these away.
      const before = { title: null, body: 'Mien' }
      const elsewhere = { key, title: null, body: 'Mine too', before }
      await expect(changeInRoom(apart(ctx), mine.id, elsewhere)).rejects.toMatchObject({
        status: 409,
        message: CHANGED_MEANWHILE,
      })
      await changeInRoom(apart(ctx), mine.id, { key, ...words, before })
      expect((await postsOf(ctx, carl, id))[1]).toMatchObject({
        html: '<p>Mine</p>',
        isEdited: true,
      })
      // The thread's own text goes, and other people's comments stay.
      await removeFromRoom(apart(ctx), id, theirs)
      expect(await postsOf(ctx, carl, id)).toMatchObject([
        { isDeleted: true, html: '' },
        { html: '<p>Mine</p>' },
      ])
      expect((await roomThreads(apart(ctx), carl)).threads).toEqual([])
      await removeFromRoom(apart(ctx), mine.id, key)
      expect(await ctx.db.query(sql`select from room_posts where id = ${mine.id}`)).toEqual([])
    }))

  test('no stored data names an account or a day, or links two threads', () =>
    as('dana', async (ctx) => {
      const { dana } = await anOpenRoom(ctx)
      // Four, as two names out of a thousand are the same one now and then.
      for (const title of ['One', 'Two', 'Three', 'Four']) await begin(ctx, dana, `${title} things`)
      const rows = await ctx.db.query<Record<string, unknown>>(sql`select * from room_posts`)
      expect(rows).toHaveLength(4)
      const same = Object.keys(rows[0] ?? {}).filter(
        (column) => new Set(rows.map((row) => String(row[column]))).size === 1,
      )
      expect(same.sort()).toEqual([
        'body',
        'company_id',
        'domain',
        'hidden',
        'hidden_reason',
        'html',
        'is_deleted',
        'is_edited',
        'is_new',
        'month',
        'place',
      ])
      expect(await ctx.db.query(sql`select from job_queue`)).toEqual([])
    }))
})

describe('reports in a room', () => {
  slow.test('moderators see what colleagues report, once each, and three reports hold a post', () =>
    as('ada', async (ada) => {
      const { dana, carl, companyId } = await anOpenRoom(ada)
      const { id } = await begin(ada, dana, 'Buy my course')
      const report = ({ badge, pass }: Member) =>
        reportRoomPost(apart(ada), id, reportingInRoom(badge, pass, id, SPAM), issuer)
      // No one else can, even with its ID.
      await expect(reportPost(ada, { kind: 'room', id }, SPAM)).rejects.toMatchObject({
        status: 404,
      })
      for (let n = 0; n < 3; n++) await report(carl)
      const capitals = id.toUpperCase()
      await expect(
        reportRoomPost(
          apart(ada),
          capitals,
          reportingInRoom(carl.badge, carl.pass, capitals, SPAM),
          issuer,
        ),
      ).rejects.toMatchObject({ status: 400, message: ROOM_REFUSALS.invalidProof })
      const waiting = async () => (await moderationQueue(ada, { list: 'open' })).cases
      expect(await waiting()).toMatchObject([
        {
          kind: 'room',
          id,
          state: 'shown',
          reports: [{ reason: 'spam', count: 1 }],
          company: { id: companyId },
        },
      ])
      for (const n of [6, 7]) {
        const badge = await colleague(ada, companyId, n)
        await report({ badge, ...(await enter(ada, companyId, badge)) })
      }
      expect(await waiting()).toMatchObject([{ state: 'held', reports: [{ count: 3 }] }])
      expect((await roomThreads(apart(ada), carl)).threads).toEqual([])
      expect(await postsOf(ada, carl, id)).toMatchObject([{ hidden: 'held', html: '' }])
      expect(await postsOf(ada, dana, id)).toMatchObject([{ hidden: 'held', body: 'Say.' }])
      await keepPost(ada, { kind: 'room', id })
      expect((await roomThreads(apart(ada), carl)).threads).toHaveLength(1)
    }),
  )

  test('a removed post’s author is told and can appeal once, and it’s not counted anywhere', () =>
    as('ada', async (ada) => {
      const { dana, carl } = await anOpenRoom(ada)
      const { id } = await begin(ada, dana)
      const words = await comment(ada, carl, id, 'You know who')
      await removePost(ada, { kind: 'room', id: words.id }, { reason: 'harassment', note: '' })
      expect((await postsOf(ada, carl, id))[1]).toMatchObject({
        hidden: 'removed',
        reason: 'harassment',
      })
      expect((await roomThreads(apart(ada), dana)).threads).toMatchObject([{ comments: 0 }])
      const key = roomKey(carl.badge, id)
      const text = 'I meant the weather.'
      await expect(
        appealRoomPost(apart(ada), words.id, { key: roomKey(dana.badge, id), text }),
      ).rejects.toMatchObject({ status: 404 })
      expect(await appealRoomPost(apart(ada), words.id, { key, text })).toEqual({ appeal: 'open' })
      await expect(appealRoomPost(apart(ada), words.id, { key, text })).rejects.toMatchObject({
        status: 409,
      })
      expect((await moderationQueue(ada, { list: 'appeals' })).cases).toMatchObject([
        { kind: 'room', appeal: { text } },
      ])
      expect(await ada.db.query(sql`select from removal_counts`)).toEqual([])
      // A changed one would be shown as something else.
      await expect(
        changeInRoom(apart(ada), words.id, { key, title: null, body: 'Better' }),
      ).rejects.toMatchObject({ status: 404 })
    }))
})
