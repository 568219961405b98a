import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '#tests/support/database.ts'
import { openPostgres } from '../database/postgres.server.ts'
import { broadcastAnswerChange, onAnswerChange } from './answer-cache.server.ts'

test('a process drops what it changed at once and once, and what another changed, too', async () => {
  const database = await openTestDatabase()
  onTestFinished(() => database.close())
  const db = await openPostgres({ url: database.url, connections: 2 })
  onTestFinished(() => db.close())
  const heard: string[] = []
  await onAnswerChange(db, (changed) => heard.push(changed))
  await db.transaction(async (db) => {
    broadcastAnswerChange(db, 'a b')
    expect(heard).toEqual([])
  })
  expect(heard).toEqual(['a b'])
  const another = crypto.randomUUID()
  await database.query(sql`select pg_notify('answer_news', ${`${another} *`})`)
  await expect.poll(() => heard).toEqual(['a b', '*'])
})
