/** Crashes a PostgreSQL from startPostgres, and brings it back. */
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { postgresPrograms } from '#app/platform/database/embedded-programs.server.ts'

export interface PostgresPower {
  /** Ends it immediately without a checkpoint, so only what's on the disk remains. */
  crash(): Promise<void>
  start(): Promise<void>
  /** Ends `count` of the site's connections with pg_terminate_backend. Returns how many it ended. */
  terminate(count: number): Promise<number>
  /** Sends kill -9 to one of the site's backends. PostgreSQL then ends all the others and recovers. */
  killBackend(): Promise<void>
}

export async function postgresPower(url: string): Promise<PostgresPower> {
  const ask = async (text: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: url, application_name: 'chaos' })
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query(text, values).finally(() => client.end().catch(() => {}))
    return rows
  }
  const [{ folder }] = await ask(`select current_setting('data_directory') as folder`)
  const { uid, gid } = statSync(folder)
  const program = join((await postgresPrograms(tmpdir())).bin, 'pg_ctl')
  const control = (...words: string[]) =>
    promisify(execFile)(program, ['-D', folder, '-w', '-t', '60', ...words], {
      ...(process.getuid?.() === 0 && { uid, gid }),
      cwd: '/',
    })
  return {
    crash: async () => void (await control('-m', 'immediate', 'stop')),
    start: async () => void (await control('-l', join(folder, 'chaos.log'), 'start')),
    async terminate(count) {
      const rows = await ask(
        `select pg_terminate_backend(pid) from (
           select pid from pg_stat_activity where application_name like 'kettle%'
            order by random() limit $1) chosen`,
        [count],
      )
      return rows.length
    },
    async killBackend() {
      const [backend] = await ask(
        `select pid from pg_stat_activity where application_name like 'kettle%'
          order by random() limit 1`,
      )
      if (backend) process.kill(backend.pid, 'SIGKILL')
    },
  }
}
