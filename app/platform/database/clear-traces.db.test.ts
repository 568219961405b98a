/** After the nightly run nothing of the day lies in the write-ahead log. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openInside, openTestDatabase } from '#tests/support/database.ts'
import { clearTraces } from '../queue/nightly-run.server.ts'
import { embeddedFolder } from './embedded-postgres.server.ts'

test('no log file of the embedded database has what was written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kettle-traces-'))
  const marker = 'the words of somebody in the afternoon'
  const log = join(embeddedFolder(folder), 'pg_wal')
  const filesWithIt = async () => {
    const found: string[] = []
    for (const entry of await readdir(log, { withFileTypes: true }))
      if (entry.isFile() && (await readFile(join(log, entry.name))).includes(marker))
        found.push(entry.name)
    return found
  }
  try {
    const db = await openInside(folder)
    try {
      await db.query(sql`create table said (words text)`)
      await db.query(sql`insert into said select ${marker} || n from generate_series(1, 500) n`)
      expect(await filesWithIt()).not.toEqual([])
      await db.query(sql`delete from said`)
      await clearTraces(db)
      expect(await filesWithIt()).toEqual([])
    } finally {
      await db.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a database user who can’t switch the log still clears everything else', async () => {
  const db = await openTestDatabase({ isEmpty: true })
  try {
    await clearTraces(db)
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  } finally {
    await db.close()
  }
})
