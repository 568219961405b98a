/** The PostgreSQL inside, on folders of its own. To make one takes a second or two: some tests share theirs. */

import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { slow } from '#tests/support/amounts.ts'
import { readConfig } from '../operations/config.server.ts'
import { embeddedFolder, openEmbedded } from './embedded-postgres.server.ts'
import { openDatabase } from './open-database.server.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kettle-embedded-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function ask(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client.query(text).then(
    async ({ rows }) => {
      await client.end()
      return rows[0]
    },
    async (error) => {
      await client.end()
      throw error
    },
  )
}

const processOf = async (dataDir: string) =>
  Number(
    (await readFile(join(embeddedFolder(dataDir), 'postmaster.pid'), 'utf8').catch(() => '')).split(
      '\n',
    )[0],
  )

test('simultaneous starts share one server in any folder, and the last to leave stops it', async () => {
  const dataDir = join(folder, 'ein Ort "mit" Umläuten, und Komma')
  const all = await Promise.all([1, 2, 3].map(() => openEmbedded(dataDir)))
  const [first, second, third] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]]
  const pid = await processOf(dataDir)
  await ask(first.url, 'create table notes (text text)')
  await first.leave()
  await second.leave()
  expect(await processOf(dataDir)).toBe(pid)
  expect(await ask(third.url, 'select count(*)::int as n from notes')).toEqual({ n: 0 })
  await third.leave()
  expect(await processOf(dataDir)).toBe(0)
  await expect(ask(first.url, 'select 1')).rejects.toThrow()
})

describe('an embedded database in use', () => {
  let dataDir: string
  let url: string
  let leave: () => Promise<void>
  beforeAll(async () => {
    dataDir = join(folder, 'private')
    const opened = await openEmbedded(dataDir)
    url = opened.url
    leave = opened.leave
  })
  afterAll(() => leave?.())

  test('no one else can reach the database: no port, a private socket and folder, and no superuser', async () => {
    const mode = async (path: string) => (await stat(path)).mode & 0o777
    expect(await mode(dataDir)).toBe(0o700)
    expect(await mode(embeddedFolder(dataDir))).toBe(0o700)
    expect(await mode(join(dataDir, 'run'))).toBe(0o700)
    expect(await mode(join(dataDir, 'run', '.s.PGSQL.5432'))).toBe(0o700)
    expect(await ask(url, 'show listen_addresses')).toEqual({ listen_addresses: '' })
    expect(
      await ask(url, 'select rolsuper as is from pg_roles where rolname = current_user'),
    ).toEqual({ is: false })
  })

  test('a refused statement leaves no text in the log', async () => {
    await expect(ask(url, "select 'what Dana said'::int")).rejects.toThrow(/invalid input/)
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('Dana')
  })

  test('a killed server is restarted with everything it had acknowledged', async () => {
    await ask(url, 'create table notes as select 1 as n')
    const pid = await processOf(dataDir)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => ask(url, 'select n from notes').catch(() => null)).toEqual({ n: 1 })
    expect(await processOf(dataDir)).not.toBe(pid)
  })

  test('the last process to leave during a restart stops it, too', async () => {
    const pid = await processOf(dataDir)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => processOf(dataDir)).not.toBe(pid)
    await leave()
    expect(await processOf(dataDir)).toBe(0)
  })
})

slow.test('a reused process number doesn’t stop it from starting', async () => {
  const dataDir = join(folder, 'used again')
  await (await openEmbedded(dataDir)).leave()
  const other = spawn('sleep', ['600'], { cwd: '/' })
  onTestFinished(() => void other.kill())
  const lines = [other.pid, embeddedFolder(dataDir), 1, 5432, join(dataDir, 'run'), '', '', 'ready']
  await writeFile(join(embeddedFolder(dataDir), 'postmaster.pid'), `${lines.join('\n')}\n`)
  await mkdir(join(dataDir, 'run'), { mode: 0o700 })
  await writeFile(join(dataDir, 'run', '.s.PGSQL.5432.lock'), `${lines.slice(0, 5).join('\n')}\n`)
  const { url, leave } = await openEmbedded(dataDir)
  onTestFinished(leave)
  expect(await ask(url, 'select 1 as n')).toEqual({ n: 1 })
})

slow.test('a socket whose path is too long is in the temporary folder until it stops', async () => {
  const dataDir = join(folder, 'long'.repeat(30))
  const { url, leave } = await openEmbedded(dataDir)
  const socket = new URL(url).searchParams.get('host') as string
  expect(socket.startsWith(tmpdir())).toBe(true)
  expect((await stat(socket)).mode & 0o777).toBe(0o700)
  expect(await ask(url, 'select 1 as n')).toEqual({ n: 1 })
  await leave()
  await expect(stat(socket)).rejects.toThrow(/ENOENT/)
})

slow.test(
  'data of another version or an older Kettle is refused with a sentence that says what to do',
  async () => {
    const dataDir = join(folder, 'other version')
    await (await openEmbedded(dataDir)).leave()
    await writeFile(join(embeddedFolder(dataDir), 'PG_VERSION'), '17\n')
    await expect(openEmbedded(dataDir)).rejects.toThrow(
      /needs PostgreSQL 17, but this version of Kettle comes with 18\. Run npm run backup -- FILE in the older version, then npm run restore -- FILE/,
    )
    const former = join(folder, 'former')
    await mkdir(join(former, 'pg'), { recursive: true })
    const opened = openDatabase(readConfig({ DATA_DIR: former }))
    await expect(opened).rejects.toThrow(
      /pg is from before Kettle 0\.1\. Update it with that version/,
    )
  },
)
