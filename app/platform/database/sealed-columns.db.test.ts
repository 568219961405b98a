/** Values sealed before they were bound to their row get resealed, and stay readable meanwhile. */
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { features } from '#app/main.features.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { reseal, type SealedColumn, sealContext } from './sealed-columns.server.ts'
import { isBound } from './secrets.server.ts'

const { as } = withDatabase()

const NOTES: SealedColumn = {
  table: 'contact_messages',
  column: 'email_sealed',
  key: 'id',
  type: 'uuid',
}

test('an existing site’s values are bound to their rows, each once, over several portions', () =>
  as('vera', async ({ db, secrets }) => {
    const before = (n: number) => secrets.seal(`${n}@people.example`)
    const rows = Array.from({ length: 1_100 }, (_, n) => ({ name: String(n), sealed: before(n) }))
    await db.query(sql`
      insert into contact_messages (idempotency_key, name, email_hash, email_sealed, message, created_at, search)
      select gen_random_uuid(), name, '', sealed, 'Hello', '2026-03-14T09:00:00Z', ''::tsvector
        from json_to_recordset(${JSON.stringify(rows)}::json) as made(name text, sealed text)`)
    const kept = () =>
      db.query<{ id: string; name: string; sealed: string }>(
        sql`select id, name, email_sealed as sealed from contact_messages`,
      )
    const read = async () =>
      (await kept()).every(
        ({ id, name, sealed }) =>
          secrets.open(sealed, sealContext(NOTES, id)) === `${name}@people.example`,
      )
    expect(await read()).toBe(true)
    await reseal(secrets, db, [NOTES])
    const bound = await kept()
    expect(bound.every(({ sealed }) => isBound(sealed))).toBe(true)
    expect(await read()).toBe(true)

    // Copied into another row, it's no one's address.
    const [one, other] = bound
    expect(() => secrets.open(one?.sealed ?? '', sealContext(NOTES, other?.id ?? ''))).toThrow()
    // A second round finds nothing to do.
    await reseal(secrets, db, [NOTES])
    expect(await kept()).toEqual(bound)
  }))

test('every column that a feature names exists, with its key', () =>
  as('vera', async ({ db, secrets }) => {
    const columns = features.flatMap(({ sealed = [] }) => sealed)
    expect(columns.length).toBeGreaterThan(4)
    await reseal(secrets, db, columns)
    for (const { table, column } of columns)
      await db.query(sql`select ${raw(column)} from ${raw(table)} limit 0`)
    const done = await db.query(sql`select from sealed_columns where is_over`)
    expect(done).toHaveLength(columns.length)
  }))
