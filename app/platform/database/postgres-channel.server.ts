/** The connection on which a process receives events, and its state. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { ConfigError } from '../operations/config.server.ts'
import type { ChannelState, EventChannel } from './database.server.ts'
import { isMisconfigured, unreachableSentence } from './postgres-availability.server.ts'

/** The heartbeat. It notices a silently dead connection. */
const BEAT_EVERY_MS = 2_000
const ANSWER_WITHIN_MS = 3_000
/** How long we stay in doubt after a loss, and at each try to reconnect. */
const DOUBT_MS = 1_000
const AGAIN_MS = { min: 250, max: 500 }
const ECHO_WITHIN_MS = 5_000
/** How long we wait for a connection to close. */
export const CLOSE_TIMEOUT_MS = 500
const ECHO = 'kettle_echo'

type Listener = (payload: string | undefined) => void

interface PostgresChannel extends EventChannel {
  listen(channel: string, listener: Listener): Promise<void>
  close(): Promise<void>
}

/** @param say notifies all listeners, using the site's write connection */
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
    // A deaf process stays deaf even if the server now refuses connections, because others may have
    // written before.
    if (next === state || (next === 'refused' && state === 'deaf')) return
    state = next
    for (const watch of watchers) watch(next)
  }

  /** @throws if it can't listen */
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
      // A busy process sees a timer before an earlier answer, so it waits a little longer.
      const late = wait(ANSWER_WITHIN_MS, 'silent', { ref: false }).then(() => wait(50, 'silent'))
      const response = await Promise.race([answered, late])
      // No one knows how long it was silent.
      if (response === 'silent' && own === client) become('deaf')
      if (response !== true) lose(own)
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

  /** Clears all caches before anyone relies on them again. */
  async function comeBack() {
    while (!isStopped) {
      clearTimeout(doubt)
      // We know nothing yet, and others may write meanwhile.
      doubt = setTimeout(() => become('deaf'), DOUBT_MS)
      doubt.unref()
      try {
        await connect()
        clearTimeout(doubt)
        if (isStopped) return
        for (const ofChannel of listeners.values())
          for (const listener of ofChannel) listener(undefined)
        // Even if we weren't in doubt, events in between were lost.
        state = 'ok'
        for (const watch of watchers) watch(state)
        return
      } catch (error) {
        clearTimeout(doubt)
        become(isUnreachable(error) ? 'refused' : 'deaf')
      }
      const { min, max } = AGAIN_MS
      await wait(min + Math.random() * (max - min), undefined, { ref: false })
    }
  }

  /** The first connection, with a check that our own events arrive on it. */
  async function open() {
    for (let isTold = false; !isStopped; )
      try {
        if (!client) await connect()
        await requireEcho(client)
        return become('ok')
      } catch (error) {
        if (error instanceof ConfigError) throw error
        if (isMisconfigured(error))
          throw new ConfigError(unreachableSentence('DATABASE_LISTEN_URL', error as Error))
        become(isUnreachable(error) ? 'refused' : 'deaf')
        if (!isTold) console.warn('Lost the connection for events. Reconnecting.')
        isTold = true
        await wait(AGAIN_MS.max)
      }
  }

  /** @throws ConfigError if we're connected but hear nothing, Error for anything worth another try */
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
      'The site isn’t getting its own events from the database. DATABASE_LISTEN_URL (or DATABASE_URL, ' +
        'if that isn’t set) points to another database, or to a pooler in transaction mode. It ' +
        'must connect directly to the PostgreSQL server that DATABASE_URL writes to.',
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
      // If the connection was lost meanwhile, the next one also subscribes to this.
      if (!others && client) await listenTo(client, channel).catch(() => {})
    },
    async close() {
      isStopped = true
      clearTimeout(doubt)
      const last = client
      client = undefined
      // We can't say goodbye on a dead connection.
      if (!last) return
      await Promise.race([last.end(), wait(CLOSE_TIMEOUT_MS)]).catch(() => {})
      cutOff(last)
    },
  }
}

const listenTo = (client: pg.Client, channel: string) =>
  client.query({
    text: `listen ${pg.escapeIdentifier(channel)}`,
    query_timeout: ANSWER_WITHIN_MS,
  } as pg.QueryConfig)

/** Doesn't say goodbye, as the other end may be gone. */
export function cutOff(client: pg.ClientBase) {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } })
    .connection
  stream.destroy()
}

/**
 * Whether the server is down or accepts no one, so others can't write either. A full server, or one
 * behind a silent network, may still serve others.
 */
function isUnreachable(error: unknown) {
  const { code, message } = error as { code?: string; message: string }
  return (
    /^(ECONNREFUSED|ECONNRESET|57P0[1235])$/.test(code ?? '') ||
    message === 'Connection terminated unexpectedly'
  )
}
