/** The one connection on which a process is notified of events, and what is known of its state. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { ConfigError } from '../operations/config.server.ts'
import type { ChannelState, EventChannel } from './database.server.ts'
import { isMisconfigured } from './postgres-availability.server.ts'

/** A connection that died without a word is missed at the next beat, at most so much later. */
const BEAT_EVERY_MS = 2_000
const ANSWER_WITHIN_MS = 3_000
/** From a loss to the first word of what became of it, and at each try from then on. */
const DOUBT_MS = 1_000
const AGAIN_MS = { least: 250, most: 500 }
const ECHO_WITHIN_MS = 5_000
/** For whatever is to end. */
export const GOODBYE_WITHIN_MS = 500
const ECHO = 'kettle_echo'

type Listener = (payload: string | undefined) => void

export interface PostgresChannel extends EventChannel {
  listen(channel: string, listener: Listener): Promise<void>
  close(): Promise<void>
}

/**
 * @param say tells all who listen something, by the way on which the site writes
 */
export function createChannel(settings: {
  url: string
  say: (channel: string, payload: string) => Promise<unknown>
}): PostgresChannel {
  const listeners = new Map<string, Listener[]>()
  const watchers: ((state: ChannelState) => void)[] = []
  let state: ChannelState = 'ok'
  let losses = 0
  let client: pg.Client | undefined
  let isStopped = false
  let opening: Promise<void> | undefined
  let doubt: NodeJS.Timeout | undefined

  function become(next: ChannelState) {
    // Whatever takes nobody in now: others may have written while we were deaf.
    if (next === state || (next === 'refused' && state === 'deaf')) return
    state = next
    for (const watch of watchers) watch(next)
  }

  /** Throws where it cannot hear. */
  async function connect() {
    const fresh = new pg.Client({
      connectionString: settings.url,
      application_name: 'kettle live',
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: BEAT_EVERY_MS,
    })
    fresh.on('error', () => {})
    fresh.on('notification', ({ channel, payload }) => {
      for (const listener of listeners.get(channel) ?? []) listener(payload ?? '')
    })
    try {
      await fresh.connect()
      for (const channel of listeners.keys()) await listenTo(fresh, channel)
    } catch (error) {
      cutOff(fresh)
      throw error
    }
    if (isStopped) return cutOff(fresh)
    client = fresh
    fresh.once('end', () => lose(fresh))
    beat(fresh)
  }

  async function beat(own: pg.Client) {
    while (own === client) {
      await wait(BEAT_EVERY_MS, undefined, { ref: false })
      if (own !== client) return
      const answered = own.query('select 1').then(
        () => true,
        () => false,
      )
      // A moment more: after a busy while this process hears of the time before it hears the answer.
      const late = wait(ANSWER_WITHIN_MS, 'silent', { ref: false }).then(() => wait(50, 'silent'))
      const news = await Promise.race([answered, late])
      // Who knows for how long it was silent.
      if (news === 'silent' && own === client) become('deaf')
      if (news !== true) lose(own)
    }
  }

  function lose(own: pg.Client) {
    if (own !== client) return
    client = undefined
    cutOff(own)
    if (isStopped) return
    losses++
    comeBack()
  }

  /** All that was kept is let go of before anybody may rely on it again. */
  async function comeBack() {
    while (!isStopped) {
      clearTimeout(doubt)
      // No word of it yet: others may write meanwhile.
      doubt = setTimeout(() => become('deaf'), DOUBT_MS)
      doubt.unref()
      try {
        await connect()
        clearTimeout(doubt)
        if (isStopped) return
        for (const ofChannel of listeners.values())
          for (const listener of ofChannel) listener(undefined)
        // Also where nobody had doubted yet: what was said meanwhile was missed.
        state = 'ok'
        for (const watch of watchers) watch(state)
        return
      } catch (error) {
        clearTimeout(doubt)
        become(isRefusal(error) ? 'refused' : 'deaf')
      }
      const { least, most } = AGAIN_MS
      await wait(least + Math.random() * (most - least), undefined, { ref: false })
    }
  }

  /** The first connection, and whether what the site says is heard on it. */
  async function open() {
    for (let isTold = false; !isStopped; )
      try {
        if (!client) await connect()
        await requireEcho(client)
        return become('ok')
      } catch (error) {
        if (error instanceof ConfigError) throw error
        if (isMisconfigured(error))
          throw new ConfigError(
            `The database of DATABASE_LISTEN_URL can’t be reached: ${(error as Error).message}.`,
          )
        become(isRefusal(error) ? 'refused' : 'deaf')
        if (!isTold) console.warn('Lost the connection for events. Trying again.')
        isTold = true
        await wait(AGAIN_MS.most)
      }
  }

  /** Throws ConfigError where the way is there and says nothing; anything else is worth another try. */
  async function requireEcho(own: pg.Client | undefined) {
    const word = randomUUID()
    let timer: NodeJS.Timeout | undefined
    const heard = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ECHO_WITHIN_MS)
      listeners.set(ECHO, [(payload) => payload === word && resolve(true)])
    })
    try {
      if (own) await listenTo(own, ECHO)
      await settings.say(ECHO, word)
      if (await heard) return
    } finally {
      clearTimeout(timer)
      listeners.set(ECHO, [])
    }
    if (own !== client) throw new Error('The connection for events was lost')
    throw new ConfigError(
      'The site does not hear its own news from the database: DATABASE_LISTEN_URL (or DATABASE_URL, ' +
        'where that is not set) leads to another database, or through a pooler in transaction mode. It ' +
        'must lead to the PostgreSQL to which DATABASE_URL writes, without such a pooler.',
    )
  }

  return {
    get state() {
      return state
    },
    get losses() {
      return losses
    },
    onChange(watch) {
      watchers.push(watch)
    },
    async listen(channel, listener) {
      opening ??= open()
      await opening
      const others = listeners.get(channel)
      listeners.set(channel, [...(others ?? []), listener])
      // Where the connection was lost meanwhile, the next one listens to this, too.
      if (!others && client) await listenTo(client, channel).catch(() => {})
    },
    async close() {
      isStopped = true
      clearTimeout(doubt)
      const last = client
      client = undefined
      // A connection that died without a word hears no goodbye.
      if (!last) return
      await Promise.race([last.end(), wait(GOODBYE_WITHIN_MS)]).catch(() => {})
      cutOff(last)
    },
  }
}

const listenTo = (client: pg.Client, channel: string) =>
  client.query({
    text: `listen ${pg.escapeIdentifier(channel)}`,
    query_timeout: ANSWER_WITHIN_MS,
  } as pg.QueryConfig)

/** Without a goodbye, which nobody may be there to hear. */
export function cutOff(client: pg.ClientBase) {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } })
    .connection
  stream.destroy()
}

/**
 * Whether the server itself is not there or takes nobody in: then nobody else writes there either. A
 * server that is full, and a network that is silent, take in others perhaps.
 */
function isRefusal(error: unknown) {
  const { code, message } = error as { code?: string; message: string }
  return (
    /^(ECONNREFUSED|ECONNRESET|57P0[1235])$/.test(code ?? '') ||
    message === 'Connection terminated unexpectedly'
  )
}
