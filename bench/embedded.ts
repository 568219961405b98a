/** What it costs the embedded engine to force each commit to the disk: it takes turns with one that does not. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { openFiles } from '../app/server/pglite-files.server.ts'
import { type Bench, median, timesOf } from './measure.ts'

const WARM_UP_ROUNDS = 2
const ROUNDS = 6
const INSERTS = 1_000
const ENGINE = { postgresqlconf: ['shared_buffers = 32MB'] }
const BODY =
  'We heard the same on the third floor. **Nobody** was asked, and the memo says it starts on Monday.'
/** What PostgreSQL writes of its log for one small row. */
const LOG_PAGE = Buffer.alloc(8_192, 1)

export const embedded: Bench = {
  name: 'embedded',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'kettle-bench-'))
    const file = openSync(join(folder, 'file'), 'w')
    const engines: PGlite[] = []
    try {
      const forcing = await openFiles(join(folder, 'forcing'), ENGINE, {
        from: undefined,
        onPanic(why) {
          console.error(`The database gave up: ${why}`)
          process.exit(1)
        },
      })
      engines.push(forcing)
      const plain = await PGlite.create({ ...ENGINE, dataDir: join(folder, 'plain') })
      engines.push(plain)
      for (const db of engines)
        await db.exec('create table notes (id bigserial primary key, body text not null)')
      const insertInto = (db: PGlite) => db.query('insert into notes (body) values ($1)', [BODY])
      const p50 = async (work: () => Promise<unknown>) =>
        median(await timesOf(Array(INSERTS).keys(), work))
      const forced: number[] = []
      const notForced: number[] = []
      const bare: number[] = []
      for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
        forced.push(await p50(() => insertInto(forcing)))
        notForced.push(await p50(() => insertInto(plain)))
        bare.push(
          await p50(async () => {
            writeSync(file, LOG_PAGE, 0, LOG_PAGE.length, 0)
            fdatasyncSync(file)
          }),
        )
      }
      const settled = (rounds: number[]) => median(rounds.slice(WARM_UP_ROUNDS))
      return [
        {
          name: 'embedded insert, p50, forced / not forced',
          measured: settled(forced),
          unit: 'ms',
          reference: settled(notForced),
          budget: { mostRatio: 2 },
        },
        {
          name: 'a page of its log, written and forced barely, p50',
          measured: settled(bare),
          unit: 'ms',
        },
      ]
    } finally {
      for (const db of engines) await db.close()
      closeSync(file)
      await rm(folder, { recursive: true, force: true })
    }
  },
}
