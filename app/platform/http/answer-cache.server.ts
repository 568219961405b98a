/**
 * Answers in JSON that are the same for everyone, as we send them. A write drops what it may have changed, in every
 * process. We can lose them at any time.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { createBroadcaster } from '../database/channel.server.ts'
import { type ChannelState, type OpenDatabase, PREPARED } from '../database/database.server.ts'
import type { Changes, Shared } from './shared-answer.ts'

/** How outdated something may be that no request changes, such as the order by views. */
const FRESH_MS = 60_000
const CACHE_BYTES = 16 * 1024 * 1024
/** A request that names more changes everything. */
const NAMED_MAX = 20

/** IDs separated by spaces, or `EVERYTHING`. */
type Changed = string
const EVERYTHING: Changed = '*'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const idsIn = (text: string) => new Set(text.match(UUID)?.map((id) => id.toLowerCase()))

/** @param textOf names what the write changed. Only called if that matters, because answers can be long */
export function changedBy(changes: Changes | undefined, textOf: () => string): Changed | undefined {
  if (changes !== 'posts') return changes === 'nothing' ? undefined : EVERYTHING
  const ids = idsIn(textOf())
  return ids.size <= NAMED_MAX ? [...ids].join(' ') : EVERYTHING
}

export interface CachedAnswer {
  /** The route's pattern, for metrics. */
  route: string
  kind: Shared
  json: Buffer
  etag: string
  ids: ReadonlySet<string>
  madeAt: number
}

/** Approximate bytes in memory. */
const weightOf = ({ json, ids }: CachedAnswer, url: string) =>
  json.length + 700 + 2 * url.length + ids.size * 100

interface Making {
  answer: Promise<CachedAnswer>
  isOutdated: boolean
  /** Whether each of those who wait for it has left. */
  haveLeft: (() => boolean)[]
}

export type AnswerCache = ReturnType<typeof createAnswerCache>

export function createAnswerCache({ now = Date.now }: { now?: () => number } = {}) {
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: weightOf,
  })
  const inFlight = new Map<string, Making>()
  let channelState: ChannelState = 'ok'

  function known(url: string) {
    const answer = channelState === 'deaf' ? undefined : answers.get(url)
    const isFresh = answer && (now() - answer.madeAt <= FRESH_MS || channelState === 'refused')
    return isFresh ? answer : undefined
  }

  function drop(changed: Changed) {
    const ids = changed.split(' ')
    const isDropped = ({ kind, ids: named }: CachedAnswer) =>
      kind === 'list' || (kind === 'entry' && ids.some((id) => named.has(id)))
    if (changed === EVERYTHING) answers.clear()
    else for (const [url, answer] of answers) if (isDropped(answer)) answers.delete(url)
    // We don't know yet what unfinished ones name.
    for (const making of inFlight.values()) making.isOutdated = true
    inFlight.clear()
  }

  return {
    /** Sends a cached answer. @returns its route, or undefined if we must make it */
    sendCached(request: IncomingMessage, response: ServerResponse, headers: Map<string, string>) {
      const answer = isAnonymous(request.headers) ? known(request.url ?? '') : undefined
      if (!answer) return undefined
      response.setHeaders(headers)
      const isUnchanged = hasTag(request.headers, answer)
      response.writeHead(isUnchanged ? 304 : 200, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        etag: answer.etag,
        ...(!isUnchanged && { 'content-length': answer.json.length }),
      })
      response.end(isUnchanged || request.method === 'HEAD' ? undefined : answer.json)
      return answer.route
    },
    /**
     * Makes an answer once for everyone who wants it meanwhile, and caches it.
     * @param hasLeft whether this one doesn't wait any longer. `make` learns whether no one does
     */
    async once(
      url: string,
      { route, kind, hasLeft }: Pick<CachedAnswer, 'route' | 'kind'> & { hasLeft: () => boolean },
      make: (hasLeft: () => boolean) => Promise<string>,
    ): Promise<CachedAnswer> {
      const answer = known(url)
      if (answer) return answer
      const running = inFlight.get(url)
      if (running && channelState !== 'deaf') {
        running.haveLeft.push(hasLeft)
        return running.answer
      }
      const haveLeft = [hasLeft]
      const making: Making = {
        answer: make(() => haveLeft.every((left) => left())).then(keep),
        isOutdated: false,
        haveLeft,
      }
      function keep(text: string) {
        const json = Buffer.from(text)
        const tag = createHash('sha256').update(json).digest('base64url').slice(0, 22)
        const ids = kind === 'entry' ? idsIn(`${url} ${text}`) : new Set<string>()
        const answer = { route, kind, json, etag: `W/"${tag}"`, ids, madeAt: now() }
        if (!making.isOutdated) answers.set(url, answer)
        return answer
      }
      inFlight.set(url, making)
      const done = () => {
        if (inFlight.get(url) === making) inFlight.delete(url)
      }
      making.answer.then(done, done)
      return making.answer
    },
    drop,
    /** Drops what the pages at these addresses show. */
    forget(prefix: string) {
      drop(prefix.startsWith('/thread/') ? [...idsIn(prefix)].join(' ') : EVERYTHING)
    },
    /** The same as a page cache's. */
    setChannelState(state: ChannelState) {
      channelState = state
    },
  }
}

/** Whether the sender says nothing about who they are. */
export const isAnonymous = (headers: IncomingHttpHeaders) =>
  headers.authorization === undefined && headers['x-anonymous-id'] === undefined

export const hasTag = (headers: IncomingHttpHeaders, { etag }: Pick<CachedAnswer, 'etag'>) =>
  headers['if-none-match']?.includes(etag) === true

const CHANNEL = 'answer_news'
/** So a process doesn't drop twice what it changed itself. */
const PROCESS = randomUUID()

/** Tells every process after the caller's commit, this one before the writer has an answer. */
export const broadcastAnswerChange = createBroadcaster((db, changed) =>
  db.query(
    sql`
    select set_config('synchronous_commit', 'off', true),
           pg_notify(${CHANNEL}, ${`${PROCESS} `} || changed)
      from unnest(${changed}::text[]) as news (changed)`,
    PREPARED,
  ),
)

export async function onAnswerChange(db: OpenDatabase, listener: (changed: Changed) => void) {
  broadcastAnswerChange.subscribe(db, listener)
  await db.listen(CHANNEL, (payload) => {
    if (!payload?.startsWith(PROCESS)) listener(payload?.slice(PROCESS.length + 1) ?? EVERYTHING)
  })
}
