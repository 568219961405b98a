/** Rewritten tables keep everything that belongs to them. */
import sql, { raw } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { openTestDatabase, withDatabase } from '#tests/support/database.ts'
import type { Database } from './database.server.ts'
import { reorderTable } from './reorder.server.ts'

const { as, outside } = withDatabase()

/** All that the catalogue knows of a table, and of what refers to it. */
async function whatBelongsTo(db: Database, table: string) {
  const [all] = await db.query<{ all: string }>(sql`
    select json_build_object(
      'columns', (select json_agg(json_build_array(attname, format_type(atttypid, atttypmod), attnotnull,
                           pg_get_expr(adbin, adrelid)) order by attname)
                    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
                   where attrelid = class.oid and attnum > 0 and not attisdropped),
      'indexes', (select json_agg(pg_get_indexdef(indexrelid) order by indexrelid::regclass::text)
                    from pg_index where indrelid = class.oid),
      'constraints', (select json_agg(json_build_array(conrelid::regclass, conname,
                               pg_get_constraintdef(oid), convalidated) order by conrelid::regclass::text, conname)
                        from pg_constraint where class.oid in (conrelid, confrelid)),
      'triggers', (select json_agg(pg_get_triggerdef(oid) order by tgname)
                     from pg_trigger where tgrelid = class.oid and not tgisinternal),
      'options', class.reloptions, 'grants', class.relacl)::text as all
      from pg_class class where oid = ${table}::regclass`)
  return JSON.parse(all?.all ?? '')
}
const rowsOf = (db: Database, table: string) =>
  db.query(sql`select t.* from ${raw(table)} t order by t::text`)

/** The same database, where something happens before each statement. */
const heeding = (db: Database, heed: (text: string) => unknown): Database => ({
  ...db,
  async query(statement) {
    await heed(statement.text)
    return db.query(statement) as never
  },
  async transaction(work) {
    await heed('begin')
    return db.transaction((db) => work(heeding(db, heed)))
  },
})

const TABLES = [
  'accounts',
  'profiles',
  'recovery_codes',
  'one_time_tokens',
  'admin_users',
  'moderators',
  'follows',
  'rating_votes',
  'ratings',
  'public_ratings',
  'rating_months',
  'pay_entries',
  'interviews',
  'public_interviews',
  'benefit_entries',
  'company_stats',
]

describe('rewriting a table in random order', () => {
  test.each(TABLES)(
    'rewriting %s keeps its rows, keys, indexes, references, triggers and options',
    (table) =>
      as('dana', async ({ db }) => {
        const [rows, belongings] = [await rowsOf(db, table), await whatBelongsTo(db, table)]
        await reorderTable(db, table)
        expect(await rowsOf(db, table)).toEqual(rows)
        expect(await whatBelongsTo(db, table)).toEqual(belongings)
        // And once more, as every night.
        await reorderTable(db, table)
        expect(await whatBelongsTo(db, table)).toEqual(belongings)
      }),
  )

  test('rewriting a table keeps its own grants and trigger', async () => {
    const db = await openTestDatabase({ isEmpty: true })
    try {
      await db.script(`
        create table parents (id integer primary key);
        create table "Odd one" (
          id uuid primary key default gen_random_uuid(), "a b" text not null unique,
          parent integer references parents on delete set null,
          doubled text generated always as ("a b" || "a b") stored, check ("a b" <> '')
        ) with (fillfactor = 70);
        create index "Odd index" on "Odd one" (lower("a b")) where parent is not null;
        create table children (odd uuid constraint "Odd link" references "Odd one" on delete cascade);
        create table seen (n integer);
        create function see() returns trigger language plpgsql as
          $$ begin insert into seen values (1); return null; end $$;
        create function row_changed() returns trigger language plpgsql as $$
        begin
          if tg_op <> 'INSERT' then execute tg_argv[0] using old; end if;
          if tg_op <> 'DELETE' then execute tg_argv[0] using new; end if;
          return null;
        end $$;
        create trigger watch after insert on "Odd one" for each statement execute function see();
        grant select on "Odd one" to public;
        insert into parents values (1);
        insert into "Odd one" ("a b", parent) select 'n' || n, 1 from generate_series(1, 50) n;
        insert into children select id from "Odd one"`)
      const belongings = await whatBelongsTo(db, '"Odd one"')
      const rows = await rowsOf(db, '"Odd one"')
      const order = () => db.query(sql`select id from "Odd one" order by ctid`)
      const before = await order()
      await reorderTable(db, 'Odd one')
      expect(await whatBelongsTo(db, '"Odd one"')).toEqual(belongings)
      expect(await rowsOf(db, '"Odd one"')).toEqual(rows)
      expect(await order()).not.toEqual(before)
      const marks = await db.query(sql`select distinct xmin::text from "Odd one"`)
      expect(marks).toHaveLength(1)
      // Existing constraints still hold.
      await db.query(sql`delete from "Odd one" where "a b" = 'n7'`)
      expect(await db.query(sql`select from children`)).toHaveLength(49)
      await expect(db.query(sql`insert into children values (gen_random_uuid())`)).rejects.toThrow()
      expect(await db.query(sql`select from pg_namespace where nspname like 'nightly%'`)).toEqual(
        [],
      )
    } finally {
      await db.close()
    }
  })

  test('a run that was only slow loses no rows to the run that replaced it', async () => {
    const db = outside()
    const rows = await rowsOf(db, 'accounts')
    expect(rows.length).toBeGreaterThan(0)
    // The second run really dies, before it copies.
    let isDead = false
    const dying = heeding(db, (text) => {
      isDead ||= text.startsWith('insert into nightly')
      if (isDead) throw new Error('The process is no more')
    })
    const slow = heeding(db, async (text) => {
      if (text.startsWith('analyze'))
        await expect(reorderTable(dying, 'accounts')).rejects.toThrow('no more')
    })
    await expect(reorderTable(slow, 'accounts')).rejects.toThrow()
    expect(isDead).toBe(true)
    expect(await rowsOf(db, 'accounts')).toEqual(rows)
    // Leftovers of both runs don't stop the next one.
    await reorderTable(db, 'accounts')
    expect(await rowsOf(db, 'accounts')).toEqual(rows)
  })

  test('a table with numbered rows or without a primary key is refused', () =>
    as('dana', async ({ db }) => {
      await db.query(sql`create table counted (id bigint generated always as identity primary key)`)
      await expect(reorderTable(db, 'counted')).rejects.toThrow('numbered in order')
      await db.query(sql`create table keyless (word text)`)
      await expect(reorderTable(db, 'keyless')).rejects.toThrow('apart')
    }))

  test('people who sign up, change their data or leave meanwhile aren’t lost or restored', async () => {
    const db = outside()
    // Only a server has a second connection that could write meanwhile.
    const add = (n: number) => sql`
      insert into accounts (email_hash, email_sealed, root_sealed, made_in_month)
      values (${`meanwhile ${n}`}, 'sealed', 'sealed', '2026-03-01') returning id`
    const ids: string[] = []
    for (let n = 0; n < 60; n++) ids.push((await db.query<{ id: string }>(add(n)))[0]?.id as string)
    try {
      const meanwhile = async () => {
        for (const [n, id] of ids.entries()) {
          await db.query(sql`
            insert into recovery_codes (account_id, code_hash) values (${id}, 'hash')`)
          if (n % 3 === 0) await db.query(sql`delete from accounts where id = ${id}`)
          if (n % 3 === 1)
            await db.query(sql`update accounts set email_sealed = 'changed' where id = ${id}`)
          await db.query(add(100 + n))
        }
      }
      await Promise.all([
        meanwhile(),
        (async () => {
          for (let n = 0; n < 2; n++)
            for (const table of ['accounts', 'recovery_codes']) await reorderTable(db, table)
        })(),
      ])
      const [counted] = await db.query<{ all: number; changed: number; codes: number }>(sql`
        select count(*)::integer as all,
               (count(*) filter (where email_sealed = 'changed'))::integer as changed,
               (select count(*) from recovery_codes where account_id = any (${ids}::uuid[]))::integer
                 as codes
          from accounts where email_hash like 'meanwhile%'`)
      expect(counted).toEqual({ all: 100, changed: 20, codes: 40 })
    } finally {
      await db.query(sql`delete from accounts where email_hash like 'meanwhile%'`)
    }
  })
})
