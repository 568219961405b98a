/** New comments reach every process's readers, once, also after a lost connection. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { shutdownOf } from '#app/platform/operations/shutdown.server.ts'
import { bareHttp } from '#tests/support/api.ts'
import { withDatabase } from '#tests/support/database.ts'
import { addComment, startThread } from '#tests/support/unlimited.ts'
import { deleteComment } from '../comments/comment-commands.server.ts'
import { moderatedThreads } from '../posts/moderated-threads.server.ts'
import { deleteThread } from '../threads/thread-commands.server.ts'
import { streamThreadEvents, type ThreadEvent } from './live.server.ts'

const { as, outside } = withDatabase()

/** Two processes of one site. */
const sites = [1, 2].map(() => bareHttp({ forceCloseConnections: true }))
const urls: string[] = []
let ctx: Ctx
beforeAll(async () => {
  const db = outside()
  ctx = { ...(await as('dana', async (ctx) => ctx)), db }
  for (const site of sites) {
    await streamThreadEvents(site, db)
    urls.push(await site.listen({ host: '127.0.0.1', port: 0 }))
  }
})
afterAll(async () => {
  for (const site of sites) await site.close()
})

/** A reader's browser: what it was told, and the way to close it. */
async function reader(url: string, threadId: string, known?: number) {
  const stop = new AbortController()
  const answer = await fetch(`${url}/api/v1/threads/${threadId}/live`, {
    signal: stop.signal,
    headers: known === undefined ? {} : { 'last-event-id': String(known) },
  })
  const told: ThreadEvent[] = []
  const reading = (async () => {
    let text = ''
    for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(part).toString()
      for (const line of text.split('\n').slice(0, -1))
        if (line.startsWith('data: ')) told.push(JSON.parse(line.slice(6)))
      text = text.slice(text.lastIndexOf('\n') + 1)
    }
  })().catch(() => {})
  return {
    status: answer.status,
    told,
    /** By the server, or by this browser. */
    ended: reading,
    async close() {
      stop.abort()
      await reading
    },
  }
}

const newThread = () =>
  startThread(ctx, {
    title: 'A thread to listen to',
    body: '',
    topics: [],
    name: 'pseudonym',
    idempotencyKey: crypto.randomUUID(),
  })
const newComment = (threadId: string, body = 'Said') =>
  addComment(ctx, threadId, { body, name: 'pseudonym', idempotencyKey: crypto.randomUUID() })

test('readers at both processes hear of a comment; readers of another thread do not', async () => {
  const [{ id }, other] = [await newThread(), await newThread()]
  const readers = await Promise.all([
    reader(urls[0] as string, id),
    reader(urls[1] as string, id),
    reader(urls[1] as string, other.id),
  ])
  try {
    await newComment(id)
    for (const each of readers.slice(0, 2))
      await expect.poll(() => each.told).toEqual([{ comments: 1, position: 1 }])
    expect(readers[2]?.told).toEqual([])
  } finally {
    for (const each of readers) await each.close()
    await deleteThread(ctx, id)
    await deleteThread(ctx, other.id)
  }
})

test('a HEAD request for a stream is refused and holds no connection', async () => {
  const { id } = await newThread()
  const url = `${urls[0]}/api/v1/threads/${id}/live`
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(404)
  await deleteThread(ctx, id)
})

test('comments posted while dana’s connection was lost arrive once when it’s back', async () => {
  const { id } = await newThread()
  const first = await reader(urls[0] as string, id)
  await newComment(id)
  await expect.poll(() => first.told.length).toBe(1)
  await first.close()
  const { id: gone } = await newComment(id)
  await newComment(id)
  await deleteComment(ctx, gone)
  const second = await reader(urls[1] as string, id, 1)
  try {
    await expect.poll(() => second.told).toEqual([{ comments: 2, position: 3 }])
    await newComment(id)
    await expect.poll(() => second.told.length).toBe(2)
    expect(second.told.at(-1)).toEqual({ comments: 3, position: 4 })
    // A reader who is up to date gets nothing.
    const third = await reader(urls[0] as string, id, 4)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(third.told).toEqual([])
    await third.close()
  } finally {
    await second.close()
    await deleteThread(ctx, id)
  }
})

test('a rolled-back comment is never announced', async () => {
  const { id } = await newThread()
  const each = await reader(urls[0] as string, id, 0)
  try {
    await transaction(ctx, async (ctx) => {
      await addComment(ctx, id, {
        body: 'No',
        name: 'pseudonym',
        idempotencyKey: crypto.randomUUID(),
      })
      throw new Error('undone on purpose')
    }).catch(() => {})
    await newComment(id, 'Yes')
    await expect.poll(() => each.told).toEqual([{ comments: 1, position: 1 }])
  } finally {
    await each.close()
    await deleteThread(ctx, id)
  }
})

test('no one can listen to a hidden or missing thread', async () => {
  for (const id of ['nonsense', crypto.randomUUID()])
    expect((await reader(urls[0] as string, id)).status).toBe(404)
  const { id } = await newThread()
  const open = await reader(urls[1] as string, id)
  try {
    await transaction(ctx, ({ db }) =>
      moderatedThreads.hide(db, id, { state: 'removed', reason: 'spam' }),
    )
    // Who listens already is sent away, and told why when it comes again.
    await open.ended
    expect(open.told).toEqual([])
    expect((await reader(urls[0] as string, id)).status).toBe(410)
    await transaction(ctx, ({ db }) =>
      moderatedThreads.hide(db, id, { state: 'held', reason: null }),
    )
    expect((await reader(urls[0] as string, id)).status).toBe(404)
  } finally {
    await open.close()
    await deleteThread(ctx, id)
  }
})

test('a stop ends the streams, and tells each to come back in another second', async () => {
  const { id } = await newThread()
  const site = bareHttp({ forceCloseConnections: true })
  await streamThreadEvents(site, outside())
  const url = await site.listen({ host: '127.0.0.1', port: 0 })
  try {
    const readers = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${url}/api/v1/threads/${id}/live`)),
    )
    const stopped = shutdownOf(site).begin(5_000)
    const waits = await Promise.all(
      readers.map(async (answer) => {
        const hints = (await answer.text()).match(/^retry: (\d+)$/gm) ?? []
        return Number(hints.at(-1)?.slice('retry: '.length))
      }),
    )
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(5_000)
    expect(Math.max(...waits)).toBeLessThanOrEqual(15_000)
    expect(new Set(waits.map((ms) => Math.floor(ms / 1_000))).size).toBeGreaterThan(3)
    await stopped
  } finally {
    await site.close()
    await deleteThread(ctx, id)
  }
})

describe('when many come at once', () => {
  /** A site of its own behind a proxy, and what it asks the database. */
  async function crowdedSite() {
    const db = outside()
    const site = bareHttp({ forceCloseConnections: true, trustProxy: true })
    let asked = 0
    let here = 0
    let gate = Promise.resolve()
    site.addHook('onRequest', async () => {
      here++
    })
    await streamThreadEvents(site, {
      ...db,
      query: async (statement, options) => {
        asked++
        await gate
        return db.query(statement, options)
      },
    })
    const url = await site.listen({ host: '127.0.0.1', port: 0 })
    const stop = new AbortController()
    return {
      asked: () => asked,
      here: () => here,
      /** The database doesn't answer until you call this. */
      closeGate() {
        let open = () => {}
        gate = new Promise((resolve) => {
          open = resolve
        })
        return open
      },
      read: (threadId: string, network: number, leaving?: AbortSignal) =>
        fetch(`${url}/api/v1/threads/${threadId}/live`, {
          signal: leaving ?? stop.signal,
          headers: { 'x-forwarded-for': `10.0.0.${network}` },
        }),
      async close() {
        stop.abort()
        await site.close()
      },
    }
  }
  const statusesOf = async (answers: Promise<Response>[]) =>
    (await Promise.all(answers)).map(({ status }) => status).sort()

  test('fifty of sixty readers from one network can listen, and other networks aren’t affected', async () => {
    const { id } = await newThread()
    const site = await crowdedSite()
    const open = site.closeGate()
    try {
      const answers = Array.from({ length: 60 }, () => site.read(id, 1))
      const other = site.read(id, 2)
      await expect.poll(site.here).toBe(61)
      open()
      expect(await statusesOf(answers)).toEqual([...Array(50).fill(200), ...Array(10).fill(429)])
      expect((await other).status).toBe(200)
    } finally {
      open()
      await site.close()
      await deleteThread(ctx, id)
    }
  })

  test('a reader who was refused or left early takes no one’s place', async () => {
    const { id } = await newThread()
    const site = await crowdedSite()
    try {
      const nowhere = Array.from({ length: 50 }, () => site.read(crypto.randomUUID(), 1))
      expect(await statusesOf(nowhere)).toEqual(Array(50).fill(404))
      const leaving = new AbortController()
      const open = site.closeGate()
      const left = Array.from({ length: 50 }, () => site.read(id, 1, leaving.signal))
      await expect.poll(site.here).toBe(100)
      leaving.abort()
      await Promise.allSettled(left)
      open()
      await expect.poll(async () => (await site.read(id, 1)).status).toBe(200)
      const more = Array.from({ length: 40 }, () => site.read(id, 1))
      expect(await statusesOf(more)).toEqual(Array(40).fill(200))
    } finally {
      await site.close()
      await deleteThread(ctx, id)
    }
  })

  test('one query answers all listeners', async () => {
    const [{ id }, other] = [await newThread(), await newThread()]
    const site = await crowdedSite()
    const open = site.closeGate()
    try {
      const answers = Array.from({ length: 400 }, (_, n) =>
        site.read(n % 2 ? id : other.id, n % 40),
      )
      await expect.poll(site.here).toBe(400)
      open()
      expect(new Set(await statusesOf(answers))).toEqual(new Set([200]))
      // The first, all others, and whether something is new since: for both threads at once.
      expect(site.asked()).toBeLessThan(10)
    } finally {
      open()
      await site.close()
      await deleteThread(ctx, id)
      await deleteThread(ctx, other.id)
    }
  })
})
