import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { openPglite } from './pglite.server.ts'

async function emptyFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'kettle-pglite-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('nobody else on the machine can look into the embedded database, wherever it lay before', async () => {
  const folder = await emptyFolder()
  await chmod(folder, 0o755)
  const db = await openPglite({ dataDir: folder })
  await db.close()
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
}, 180_000)

test('what a power cut left of the first start, and of the process then, keeps nobody out', async () => {
  const folder = await emptyFolder()
  await mkdir(join(folder, 'pg'))
  await mkdir(join(folder, 'pg.new'))
  await writeFile(join(folder, 'pg.new/PG_VERSION'), '')
  await (await openPglite({ dataDir: folder })).close()
  expect(await readdir(folder)).toEqual(['pg'])
  await writeFile(join(folder, 'pg/postmaster.pid'), '')
  const db = await openPglite({ dataDir: folder })
  expect(await db.query(sql`show fsync`)).toEqual([{ fsync: 'on' }])
  await db.close()
}, 180_000)

test('an engine that does not come to an end is given up: nobody waits for it, and its opener hears of it', async () => {
  const lost: string[] = []
  const db = await openPglite({
    dataDir: 'memory://',
    patience: { statement: 5_000 },
    onLost: ({ message }) => lost.push(message),
  })
  const dana = db.query(sql`select count(*) from generate_series(1, 1e12)`)
  const vera = db.query(sql`select 1`)
  for (const waiting of [dana, vera, db.query(sql`select 2`)])
    await expect(waiting).rejects.toMatchObject({ name: 'Unavailable' })
  expect(lost).toEqual(['The embedded database is lost: no answer after 5 s'])
  await expect(db.close()).rejects.toMatchObject({ name: 'Unavailable' })
}, 180_000)
