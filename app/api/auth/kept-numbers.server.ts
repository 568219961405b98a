/**
 * Writes down which tokens were exchanged: all of them as one sealed text in one row, by the clock and not when
 * somebody comes, and at a graceful stop. What was exchanged since, a crash forgets. Decision 7.
 */
import { setImmediate } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { packed, unpacked } from './exchanges-packed.server.ts'
import { secondsOf } from './refresh-tokens.server.ts'
import { REUSE_WINDOW_S, type SessionNumbers } from './session-numbers.server.ts'

const WRITE_EVERY_MS = 10 * 60_000
/** Nothing else that the site seals opens here, and this opens nowhere else. */
const PLACE = 'numbers of sessions'

type Ctx = Pick<ServerContext, 'db' | 'secrets' | 'now'>

/** What was written down last, by whichever process. */
export async function readNumbers({ db, secrets }: Ctx, numbers: SessionNumbers) {
  const [row] = await db.query<{ sealed: string | null }>(sql`select sealed from session_numbers`)
  if (row?.sealed) numbers.learn(opened(secrets, row.sealed))
}

/** Adds what others have written meanwhile, here and there. */
export const writeNumbers = (ctx: Ctx, numbers: SessionNumbers) =>
  ctx.db.transaction(async (db) => {
    await db.query(sql`insert into session_numbers default values on conflict do nothing`)
    const [row] = await db.query<{ sealed: string | null }>(
      sql`select sealed from session_numbers for update`,
    )
    if (row?.sealed)
      for await (const some of inPortions(opened(ctx.secrets, row.sealed))) numbers.learn(some)
    const now = ctx.now()
    const justNow = secondsOf(now) - REUSE_WINDOW_S
    const all: Buffer[] = []
    // A moment is written down only where a second tab may still ask.
    for await (const some of inPortions(numbers.all(now)))
      all.push(packed(some.map((it) => (it.at < justNow ? { ...it, at: 0 } : it))))
    const sealed = ctx.secrets.seal(Buffer.concat(all).toString('base64'), PLACE)
    await db.query(sql`update session_numbers set sealed = ${sealed}`)
  })

/** So many at once that nobody who asks something else meanwhile waits for long. */
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
  unpacked(Buffer.from(secrets.open(sealed, PLACE), 'base64'))

/** From the start of the process to its end. `warn` hears that it did not work this time. */
export function keepNumbers(
  ctx: Ctx,
  numbers: SessionNumbers,
  warn: (error: { code?: string }) => void,
) {
  let timer: NodeJS.Timeout | undefined
  const write = () => writeNumbers(ctx, numbers).catch(warn)
  function later() {
    // At full ten minutes: when it is written depends on nobody.
    timer = setTimeout(
      () => write().finally(() => timer && later()),
      WRITE_EVERY_MS - (ctx.now().getTime() % WRITE_EVERY_MS),
    ).unref()
  }
  return {
    async start() {
      await readNumbers(ctx, numbers)
      later()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      return write()
    },
  }
}
