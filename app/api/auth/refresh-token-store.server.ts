/**
 * Stores exchanged refresh tokens, and broadcasts them to other processes. One row has all of them in one sealed
 * text. We write it on a timer and at a graceful stop, never because someone came. A crash loses what came after the
 * last write. D7.
 */
import { setImmediate } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import {
  type Exchange,
  REUSE_WINDOW_S,
  type RefreshTokenExchanges,
} from './refresh-token-exchanges.server.ts'
import { secondsOf } from './refresh-tokens.server.ts'

const WRITE_EVERY_MS = 10 * 60_000
/** The label of the seal. Nothing else that the site seals opens here, and this text opens nowhere else. */
const STORED_CONTEXT = 'numbers of sessions'

type Ctx = Pick<ServerContext, 'db' | 'secrets' | 'now'>

export async function readExchanges({ db, secrets }: Ctx, exchanges: RefreshTokenExchanges) {
  const [row] = await db.query<{ sealed: string | null }>(
    sql`select sealed from refresh_token_replays`,
  )
  if (row?.sealed) exchanges.learn(opened(secrets, row.sealed))
}

/** Merges what others have stored meanwhile. */
export const writeExchanges = (ctx: Ctx, exchanges: RefreshTokenExchanges) =>
  ctx.db.transaction(async (db) => {
    await db.query(sql`insert into refresh_token_replays default values on conflict do nothing`)
    const [row] = await db.query<{ sealed: string | null }>(
      sql`select sealed from refresh_token_replays for update`,
    )
    if (row?.sealed)
      for await (const some of inPortions(opened(ctx.secrets, row.sealed))) exchanges.learn(some)
    const now = ctx.now()
    const justNow = secondsOf(now) - REUSE_WINDOW_S
    const all: Buffer[] = []
    // We only store times while a second tab may still exchange a token.
    for await (const some of inPortions(exchanges.all(now)))
      all.push(packed(some.map((it) => (it.at < justNow ? { ...it, at: 0 } : it))))
    const sealed = ctx.secrets.seal(Buffer.concat(all).toString('base64'), STORED_CONTEXT)
    await db.query(sql`update refresh_token_replays set sealed = ${sealed}`)
  })

/** Rows per batch, few enough that other requests don't wait long. */
const PORTION = 5_000

async function* inPortions<Item>(items: Iterable<Item>): AsyncGenerator<Item[]> {
  let portion: Item[] = []
  for (const item of items) {
    portion.push(item)
    if (portion.length < PORTION) continue
    yield portion
    portion = []
    await setImmediate()
  }
  yield portion
}

const opened = (secrets: Ctx['secrets'], sealed: string) =>
  unpacked(Buffer.from(secrets.open(sealed, STORED_CONTEXT), 'base64'))

/** Runs from the start to the end of the process. `warn` is called on failures. */
export function storeExchanges(
  ctx: Ctx,
  exchanges: RefreshTokenExchanges,
  warn: (error: { code?: string }) => void,
) {
  let timer: NodeJS.Timeout | undefined
  const write = () => writeExchanges(ctx, exchanges).catch(warn)
  function later() {
    // We write at multiples of ten minutes, so the time doesn't depend on anyone.
    timer = setTimeout(
      () => write().finally(() => timer && later()),
      WRITE_EVERY_MS - (ctx.now().getTime() % WRITE_EVERY_MS),
    ).unref()
  }
  return {
    async start() {
      await readExchanges(ctx, exchanges)
      later()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      return write()
    },
  }
}

const CHANNEL = 'session_news'
const BROADCAST_EVERY_MS = 1_000
/** Exchanges per message. PostgreSQL limits a message to 8,000 bytes. */
const MESSAGE_EXCHANGES = 64
const PUBLISHED_CONTEXT = 'news of sessions'
/** How many exchanges we keep while the database is down. We drop the oldest first. */
const WAITING_AT_MOST = 50_000

/**
 * Broadcasts this process's exchanges: sealed, of equal size, and on a timer, so whatever the
 * database keeps reveals neither people nor times.
 */
export function broadcastExchanges(
  { db, secrets }: Pick<ServerContext, 'secrets'> & { db: OpenDatabase },
  exchanges: RefreshTokenExchanges,
) {
  let waiting: Exchange[] = []
  let timer: NodeJS.Timeout | undefined
  async function broadcast() {
    if (waiting.length === 0) return
    const sent = waiting
    waiting = []
    const payloads: string[] = []
    for (let from = 0; from < sent.length; from += MESSAGE_EXCHANGES) {
      const some = packed(sent.slice(from, from + MESSAGE_EXCHANGES), MESSAGE_EXCHANGES)
      payloads.push(secrets.seal(some.toString('base64'), PUBLISHED_CONTEXT))
    }
    await db
      .query(sql`
        select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, payload)
          from unnest(${payloads}::text[]) as sent (payload)`)
      .catch(() => {
        waiting = [...sent, ...waiting].slice(-WAITING_AT_MOST)
      })
  }
  return {
    async start() {
      exchanges.onExchange((exchange) => waiting.push(exchange))
      await db.listen(CHANNEL, (payload) => {
        if (payload)
          exchanges.learn(unpacked(Buffer.from(secrets.open(payload, PUBLISHED_CONTEXT), 'base64')))
      })
      timer = setInterval(broadcast, BROADCAST_EVERY_MS).unref()
    },
    stop() {
      clearInterval(timer)
      return broadcast()
    },
  }
}

// Exchanges as bytes, for storing and broadcasting.
const HASH_BYTES = 16
const NUMBER_AT = HASH_BYTES
const TIME_AT = NUMBER_AT + 4
const DAY_AT = TIME_AT + 4
export const EXCHANGE_BYTES = DAY_AT + 2
/**
 * A flag in the day. Entries from before this flag count as used, so we don't mistake an old token for a lost answer.
 */
const UNUSED = 0x8000

/** @param count pads to this many */
export function packed(exchanges: readonly Exchange[], count = exchanges.length): Buffer {
  const bytes = Buffer.alloc(count * EXCHANGE_BYTES)
  for (const [i, { session, number, at, lastDay, isUsed }] of exchanges.entries()) {
    const start = i * EXCHANGE_BYTES
    bytes.write(session, start, 'latin1')
    bytes.writeUInt32BE(number, start + NUMBER_AT)
    bytes.writeUInt32BE(at, start + TIME_AT)
    bytes.writeUInt16BE(isUsed ? lastDay : lastDay | UNUSED, start + DAY_AT)
  }
  return bytes
}

export function* unpacked(bytes: Buffer): Generator<Exchange> {
  for (let start = 0; start < bytes.length; start += EXCHANGE_BYTES) {
    const number = bytes.readUInt32BE(start + NUMBER_AT)
    if (number === 0) return
    const day = bytes.readUInt16BE(start + DAY_AT)
    yield {
      session: bytes.toString('latin1', start, start + HASH_BYTES),
      number,
      at: bytes.readUInt32BE(start + TIME_AT),
      lastDay: day & ~UNUSED,
      isUsed: (day & UNUSED) === 0,
    }
  }
}
