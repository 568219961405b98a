/**
 * Live updates of new comments (Server-Sent Events). An event has only the number of comments and the position of
 * the latest; the browser then loads as usual. A browser that reconnects sends the last position it knows, so it
 * misses and repeats nothing.
 */
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { requestReader } from '#app/api/request.server.ts'
import { uuidOf } from '#app/api/schemas.ts'
import { batched } from '#app/platform/database/batched.server.ts'
import { createBroadcaster, createChannel } from '#app/platform/database/channel.server.ts'
import {
  type Database,
  type OpenDatabase,
  PREPARED,
} from '#app/platform/database/database.server.ts'
import { networkOf } from '#app/platform/http/rate-limits.server.ts'
import { notFound, Refusal } from '#app/platform/http/refusal.ts'
import { shutdownOf } from '#app/platform/operations/shutdown.server.ts'
import { POST_REFUSALS } from '../discussion.ts'
import { type Hiding, hidingOfThread, requireVisible } from '../posts/post-rules.server.ts'

const CHANNEL = 'thread_news'
/** Proxies close a silent connection after about a minute. */
const HEARTBEAT_MS = 25_000
const RETRY_MS = 2_000
/**
 * After a stop, browsers wait this long before they reconnect, spread over a few seconds. By then, the site is
 * probably up again.
 */
const RETRY_AFTER_STOP_MS = { min: 5_000, max: 15_000 }
const STREAMS_MAX = 10_000
const STREAMS_PER_NETWORK = 50

export interface ThreadEvent {
  comments: number
  /** Of the latest comment. Deleted comments keep their number. */
  position: number
}

/**
 * Publishes a changed thread to every process after the caller's commit. Listeners only hear about new comments,
 * but we always drop cached pages. It runs outside the transaction, because commits that notify wait for each
 * other's disk. It doesn't wait for its own commit, because it changes nothing.
 */
export const broadcastThreadChange = createBroadcaster((db, threadIds) =>
  db.query(
    sql`
    select set_config('synchronous_commit', 'off', true),
           pg_notify(${CHANNEL}, concat_ws(' ', changed.id, comments, last_place))
      from unnest(${threadIds}::uuid[]) as changed (id)
      left join threads on threads.id = changed.id and threads.hidden is null`,
    PREPARED,
  ),
)

const reader = requestReader({
  query: z.object({ known: z.string().max(30).optional() }),
})

interface Stream {
  position: number
  /** `write` and `ping` do nothing once the stream has ended. */
  write(event: ThreadEvent): unknown
  ping(): unknown
  end(): unknown
  /** Tells readers when to reconnect, because this process is stopping. */
  leave(): unknown
}

/** Mounts `GET /api/v1/threads/:id/live`. @param onChange gets every thread that changed, in any process */
export async function streamThreadEvents(
  app: FastifyInstance,
  db: OpenDatabase,
  onChange: (threadId: string) => void = () => {},
) {
  const streams = new Map<string, Set<Stream>>()
  const perNetwork = new Map<string, number>()
  let count = 0
  // After a restart, thousands reconnect within seconds, and one query answers all of them.
  const latestOf = batched((threadIds) => latestOfThreads(db, threadIds))

  /** @throws Refusal too-many */
  function countIn(network: string) {
    const ofNetwork = perNetwork.get(network) ?? 0
    if (count >= STREAMS_MAX || ofNetwork >= STREAMS_PER_NETWORK)
      throw new Refusal('too-many', POST_REFUSALS.tooManyPages)
    count++
    perNetwork.set(network, ofNetwork + 1)
  }
  function countOut(network: string) {
    count--
    const left = (perNetwork.get(network) ?? 1) - 1
    if (left > 0) perNetwork.set(network, left)
    else perNetwork.delete(network)
  }
  function listen(threadId: string, stream: Stream) {
    streams.set(threadId, (streams.get(threadId) ?? new Set()).add(stream))
  }
  function listenNoMore(threadId: string, stream: Stream) {
    const open = streams.get(threadId)
    open?.delete(stream)
    if (open?.size === 0) streams.delete(threadId)
  }
  function deliver(threadId: string, event: ThreadEvent) {
    for (const stream of streams.get(threadId) ?? []) {
      if (event.position <= stream.position) continue
      stream.position = event.position
      stream.write(event)
    }
  }
  broadcastThreadChange.subscribe(db, onChange)
  await db.listen(CHANNEL, (payload) => {
    if (payload === undefined) {
      for (const threadId of streams.keys())
        latestOf(threadId).then(
          (known) => known && !known.hidden && deliver(threadId, known.event),
          () => {},
        )
      return
    }
    const [threadId = '', comments, position] = payload.split(' ')
    onChange(threadId)
    if (comments && position)
      deliver(threadId, { comments: Number(comments), position: Number(position) })
    // The thread was deleted or hidden. When readers reconnect, they get the reason.
    else for (const stream of streams.get(threadId) ?? []) stream.end()
  })
  const heartbeat = setInterval(() => {
    for (const open of streams.values()) for (const stream of open) stream.ping()
  }, HEARTBEAT_MS)
  heartbeat.unref()
  const shutdown = shutdownOf(app)
  function leave() {
    clearInterval(heartbeat)
    for (const open of streams.values()) for (const stream of open) stream.leave()
  }
  shutdown.onBegin(leave)
  // The server was closed without a stop, as in tests.
  app.addHook('preClose', async () => leave())

  app.get(
    '/api/v1/threads/:id/live',
    {
      schema: { summary: 'A thread’s new comments, as Server-Sent Events', tags: ['threads'] },
      config: { isOpen: true },
      // A HEAD response would never end.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { query } = reader.read(request)
      const id = uuidOf((request.params as { id: string }).id)
      if (!id) throw notFound(POST_REFUSALS.noThread)
      const network = networkOf(request.ip)
      const { raw } = reply
      // Don't count a connection that's already closed, because nothing would subtract it.
      if (raw.destroyed) return reply.hijack()
      // Before any await, so simultaneous connections count each other.
      countIn(network)
      // Runs no matter how the connection ends: refused, failed, left, or closed after hours.
      raw.once('close', () => countOut(network))
      requireVisible(await latestOf(id))
      const knownPosition = Number(request.headers['last-event-id'] ?? query.known)
      reply.hijack()
      if (raw.destroyed) return
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      raw.write(`retry: ${RETRY_MS}\n\n`)
      const send = (text: string) => raw.writableEnded || raw.write(text)
      const end = (lastWords?: string) => raw.writableEnded || raw.end(lastWords)
      const stream: Stream = {
        position: Number.isSafeInteger(knownPosition) && knownPosition >= 0 ? knownPosition : 0,
        write: (event) => send(`id: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`),
        ping: () => send(':\n\n'),
        end: () => end(),
        leave: () => end(`retry: ${retryAfterStop()}\n\n`),
      }
      // Listen first, then read, so a comment in between arrives one way or the other.
      listen(id, stream)
      raw.once('close', () => listenNoMore(id, stream))
      // The stop began during the query.
      if (shutdown.hasBegun) stream.leave()
      const known = await latestOf(id).catch(() => undefined)
      if (!known || known.hidden) stream.end()
      else if (known.event.position > stream.position) {
        stream.position = known.event.position
        stream.write(known.event)
      }
    },
  )
}

/** Milliseconds. Spreads a thousand readers over ten seconds. */
function retryAfterStop() {
  const { min, max } = RETRY_AFTER_STOP_MS
  return Math.round(min + Math.random() * (max - min))
}

async function latestOfThreads(db: Database, threadIds: string[]) {
  const threads = await db.query<ThreadEvent & Hiding & { id: string }>(sql`
    select id, comments, last_place as position, ${hidingOfThread}
      from threads thread where id = any(${threadIds}::uuid[])`)
  return new Map(
    threads.map(({ id, comments, position, ...hiding }) => [
      id,
      { ...hiding, event: { comments, position } },
    ]),
  )
}

/** The text is gone, so no cached page may show it. We name the thread, which may be gone, too. */
export const postRemovals = createChannel('removed_posts')
