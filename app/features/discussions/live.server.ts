/**
 * New comments, told to whoever has the thread open (Server-Sent Events). An event says only how many
 * comments there are and the place of the last one; the browser fetches the words as always. After a
 * lost connection it names the place that it knows, so nothing is missed and nothing comes twice.
 */
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, OpenDatabase } from '../../server/database.server.ts'
import { networkOf } from '../../server/rate-limits.server.ts'
import { notFound, Refusal } from '../../server/refusal.ts'
import { stoppingOf } from '../../server/stopping.server.ts'
import { createTelling } from '../../server/telling.server.ts'
import { THREAD_NOT_FOUND } from './discussion.ts'
import { demandShownThread } from './hidden-posts.server.ts'

const CHANNEL = 'thread_news'
/** Proxies close what is silent for a minute or so. */
const HEARTBEAT_MS = 25_000
/** A browser that lost its connection comes back after this. */
const RETRY_MS = 2_000
/** After a stop: when the site is likely there again, and not all in the same second. */
const RETRY_AFTER_STOP_MS = { least: 5_000, most: 15_000 }
const STREAMS_MAX = 10_000
const STREAMS_PER_NETWORK = 50

export interface News {
  comments: number
  /** Of the last comment; counts up, also over comments that are gone. */
  place: number
}

/**
 * Tells every process, after the commit of the caller's transaction, that a thread is not as it was.
 * Whoever listens hears of new comments only; pages that were kept are dropped in any case. Readers who
 * come back ask for what they missed. Not within the transaction of the change: commits that notify wait
 * for each other's disk. Nor does this one wait for it, for it changes nothing.
 */
export const tellOfChange = createTelling((db, threadIds) =>
  db.query(
    sql`
    select set_config('synchronous_commit', 'off', true),
           pg_notify(${CHANNEL}, concat_ws(' ', told.id, comments, last_place))
      from unnest(${threadIds}::uuid[]) as told (id)
      left join threads on threads.id = told.id and threads.hidden is null`,
    { name: 'tell of threads' },
  ),
)

interface Stream {
  network: string
  /** The last place that it was told of. */
  place: number
  /** These say nothing any more once it has ended. */
  write(news: News): unknown
  ping(): unknown
  end(): unknown
  /** Ends it because the process stops, and says when to come back. */
  leave(): unknown
}

/**
 * Mounts `GET /api/v1/threads/:id/live`.
 * @param onChange hears of every thread that changed, in any process
 */
export async function streamNews(
  app: FastifyInstance,
  db: OpenDatabase,
  onChange: (threadId: string) => void = () => {},
) {
  const streams = new Map<string, Set<Stream>>()
  const perNetwork = new Map<string, number>()
  let count = 0

  function tell(threadId: string, news: News) {
    for (const stream of streams.get(threadId) ?? []) {
      if (news.place <= stream.place) continue
      stream.place = news.place
      stream.write(news)
    }
  }
  await db.listen(CHANNEL, (payload) => {
    if (payload === undefined) {
      for (const threadId of streams.keys())
        newsOf(db, threadId).then(
          (news) => news && tell(threadId, news),
          () => {},
        )
      return
    }
    const [threadId = '', comments, place] = payload.split(' ')
    onChange(threadId)
    if (comments && place) tell(threadId, { comments: Number(comments), place: Number(place) })
    // A thread that is deleted or hidden has no numbers; who comes back is told why.
    else for (const stream of streams.get(threadId) ?? []) stream.end()
  })
  const heartbeat = setInterval(() => {
    for (const open of streams.values()) for (const stream of open) stream.ping()
  }, HEARTBEAT_MS)
  heartbeat.unref()
  const stopping = stoppingOf(app)
  function leave() {
    clearInterval(heartbeat)
    for (const open of streams.values()) for (const stream of open) stream.leave()
  }
  stopping.onBegin(leave)
  // Who closes the server without a stop, as tests do.
  app.addHook('preClose', async () => leave())

  app.get(
    '/api/v1/threads/:id/live',
    { schema: { summary: 'News of a thread, as Server-Sent Events', tags: ['threads'] } },
    async (request, reply) => {
      const { id } = request.params as { id: string }
      if (!z.uuid().safeParse(id).success) throw notFound(THREAD_NOT_FOUND)
      const network = networkOf(request.ip)
      if (count >= STREAMS_MAX || (perNetwork.get(network) ?? 0) >= STREAMS_PER_NETWORK)
        throw new Refusal(
          'too-many',
          'Too many pages are listening. This one will look again later.',
        )
      await demandShownThread(db, id)
      const known = Number(
        request.headers['last-event-id'] ?? (request.query as { known?: string }).known,
      )
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      raw.write(`retry: ${RETRY_MS}\n\n`)
      const send = (text: string) => raw.writableEnded || raw.write(text)
      const end = (lastWords?: string) => raw.writableEnded || raw.end(lastWords)
      const stream: Stream = {
        network,
        place: Number.isSafeInteger(known) && known >= 0 ? known : 0,
        write: (news) => send(`id: ${news.place}\ndata: ${JSON.stringify(news)}\n\n`),
        ping: () => send(':\n\n'),
        end: () => end(),
        leave: () => end(`retry: ${retryAfterStop()}\n\n`),
      }
      // Listening first and looking then: what is said in between comes by one of the two ways.
      const open = streams.get(id) ?? new Set()
      streams.set(id, open.add(stream))
      count++
      perNetwork.set(network, (perNetwork.get(network) ?? 0) + 1)
      raw.once('close', () => {
        open.delete(stream)
        if (open.size === 0) streams.delete(id)
        count--
        const left = (perNetwork.get(network) ?? 1) - 1
        if (left > 0) perNetwork.set(network, left)
        else perNetwork.delete(network)
      })
      // It began while it was looked whether the thread is shown.
      if (stopping.hasBegun) stream.leave()
      const news = await newsOf(db, id).catch(() => undefined)
      if (!news) stream.end()
      else if (news.place > stream.place) {
        stream.place = news.place
        stream.write(news)
      }
    },
  )
}

/** Milliseconds: a thousand readers come back over ten seconds. */
function retryAfterStop() {
  const { least, most } = RETRY_AFTER_STOP_MS
  return Math.round(least + Math.random() * (most - least))
}

async function newsOf(db: Database, threadId: string): Promise<News | undefined> {
  const [news] = await db.query<News>(
    sql`select comments, last_place as place from threads
         where id = ${threadId} and hidden is null`,
  )
  return news
}
