/**
 * Rewrites a table in random order, in one transaction and a new file. Then neither a row's place nor
 * its transaction id shows when it was written, and no file holds deleted rows. We make a copy while
 * people read and write, record what changes meanwhile, apply that at the end, and quickly swap the two.
 * Keys, indexes, references, triggers and rights come from the catalog, so we don't forget any. A crash
 * leaves the old table.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { quoted } from '../operations/backup.server.ts'
import { type Database, isDeadlock, isLockTimeout } from './database.server.ts'

/**
 * Each run has its own schema and triggers. Index names are free there, and backups skip the schema. If
 * a run that seemed dead comes back, it finds its copy gone, rather than half of another run's.
 */
const SCRATCH = 'nightly_'

/**
 * New readers queue behind our locks, so we give up soon and try again. This limit covers all locks
 * together, and ends before PostgreSQL aborts someone's transaction as a deadlock (after a second).
 */
const LOCK_WITHIN_MS = 600
const TRIES = 30
const PAUSE_MS = 200

/** One run at a time. It removes what an earlier run left, and fails if that run is still alive. */
export async function reorderTable(
  db: Database,
  name: string,
  /** Stores rows in the order of this column. Say why that reveals nothing. */
  { beside }: { beside?: string } = {},
) {
  const scratch = SCRATCH + randomUUID().slice(0, 8)
  const table = await tableNamed(db, name, scratch)
  const keyOfRow = table.keyColumns.map((column) => `($1).${quoted(column)}`).join(', ')
  await clearAway(db)
  await db.transaction(async (db) => {
    await db.query(raw(`create schema ${scratch}`))
    await db.query(
      raw(`create table ${table.copy} (like ${table.name} including all excluding indexes)
           ${table.options ? `with (${table.options})` : ''}`),
    )
    await db.query(
      raw(`create table ${scratch}.changes as select ${table.key} from ${table.name} with no data`),
    )
    await db.query(
      raw(`create trigger ${scratch} after insert or update or delete on ${table.name}
           for each row execute function row_changed('insert into ${scratch}.changes select ${keyOfRow}')`),
    )
  })
  try {
    await atLength(db, (db) => copyRows(db, table, 'true', beside))
    for (const { definition } of table.indexes)
      await atLength(db, (db) => db.query(raw(definition)))
    await db.query(raw(`analyze ${table.copy}`))
    await replaceTable(db, table)
  } catch (error) {
    await clearAway(db, scratch).catch(() => {})
    throw error
  }
  for (const { on, constraint } of table.references)
    await atLength(db, (db) => db.query(raw(`alter table ${on} validate constraint ${constraint}`)))
}

interface Table {
  /** All names except the key's columns are quoted. */
  schema: string
  name: string
  /** The copy, and its schema. */
  copy: string
  scratch: string
  columns: string
  key: string
  keyColumns: string[]
  options: string | null
  /** Indexes of the copy, each with its constraint. */
  indexes: { definition: string; constraint: string | null; index: string; kind: string }[]
  /** References from and to this table. */
  references: { on: string; constraint: string; definition: string }[]
  /** Tables that this table references, or that reference it. */
  parents: string[]
  children: string[]
  triggers: string[]
  grants: string[]
}

/** @throws an Error if it can't copy this table as it is */
async function tableNamed(db: Database, name: string, scratch: string): Promise<Table> {
  type Found = Omit<Table, 'name' | 'copy' | 'scratch' | 'columns' | 'key'> & {
    columns: string[]
    isCountedUp: boolean
  }
  const [found] = await db.query<Found>(sql`
    with class as (
      select * from pg_class
       where relname = ${name} and relnamespace = current_schema()::regnamespace and relkind = 'r'),
    keys as (
      select index.indkey from pg_index index, class
       where indrelid = class.oid and indisunique and indpred is null and indexprs is null
       order by indisprimary desc, indexrelid limit 1),
    links as (
      select conname, conrelid, confrelid, pg_get_constraintdef(link.oid) as definition
        from pg_constraint link, class
       where contype = 'f' and class.oid in (conrelid, confrelid) and conparentid = 0)
    select
      quote_ident(current_schema()) as schema,
      array(select quote_ident(attname) from pg_attribute
             where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = ''
             order by attnum)::text[] as columns,
      array(select attname from keys, unnest(keys.indkey) with ordinality as part(number, place)
              join pg_attribute on attrelid = class.oid and attnum = part.number
             order by place)::text[] as "keyColumns",
      exists (select from pg_attribute where attrelid = class.oid and attidentity <> '')
        as "isCountedUp",
      array_to_string(class.reloptions, ', ') as options,
      coalesce((select json_agg(json_build_object(
                  'definition', replace(pg_get_indexdef(indexrelid),
                                        format(' ON %I.%I ', current_schema(), ${name}::text),
                                        format(' ON %I.%I ', ${scratch}::text, ${name}::text)),
                  'index', quote_ident(index.relname), 'constraint', quote_ident(conname),
                  'kind', case contype when 'p' then 'primary key' else 'unique' end)
                  order by indexrelid)
                  from pg_index join pg_class index on index.oid = indexrelid
                  left join pg_constraint on conindid = indexrelid and contype in ('p', 'u')
                 where indrelid = class.oid), '[]') as indexes,
      coalesce((select json_agg(json_build_object('on', conrelid::regclass::text,
                  'constraint', quote_ident(conname), 'definition', definition) order by conname)
                  from links), '[]') as references,
      array(select distinct confrelid::regclass::text from links where confrelid <> class.oid
             order by 1) as parents,
      array(select distinct conrelid::regclass::text from links where conrelid <> class.oid
             order by 1) as children,
      array(select pg_get_triggerdef(oid) from pg_trigger
             where tgrelid = class.oid and not tgisinternal and not starts_with(tgname, ${SCRATCH}))
        as triggers,
      array(select format('grant %s on %I to %s', privilege_type, ${name}::text,
                          case grantee when 0 then 'public' else grantee::regrole::text end)
              from aclexplode(class.relacl) where grantee <> class.relowner) as grants
      from class`)
  if (!found) throw new Error(`There’s no table ${name}`)
  if (found.isCountedUp)
    throw new Error(`Rows of ${name} are numbered in order, so their order is no secret`)
  if (found.keyColumns.length === 0)
    throw new Error(`The rows of ${name} have no key to tell them apart`)
  return {
    ...found,
    name: quoted(name),
    copy: `${scratch}.${quoted(name)}`,
    scratch,
    columns: found.columns.join(', '),
    key: found.keyColumns.map(quoted).join(', '),
  }
}

const copyRows = (db: Database, table: Table, which: string, beside?: string) =>
  db.query(
    raw(`insert into ${table.copy} (${table.columns}) select ${table.columns} from ${table.name}
          where ${which} order by ${beside ? `${quoted(beside)}, ` : ''}gen_random_uuid()`),
  )

/** Runs work that grows with the table, without a statement timeout. */
const atLength = (db: Database, work: (db: Database) => Promise<unknown>) =>
  db.transaction(async (db) => {
    await db.query(sql`set local statement_timeout = 0`)
    await work(db)
  })

/**
 * Removes what one run or all runs left, in one transaction, so no run continues with half of it. If a
 * run is alive, it holds its locks, so this gives up.
 */
async function clearAway(db: Database, scratch = SCRATCH) {
  await db.transaction(async (db) => {
    await db.query(raw(`set local lock_timeout = ${LOCK_WITHIN_MS}`))
    const triggers = await db.query<{ name: string; table: string }>(sql`
      select tgname as name, tgrelid::regclass::text as table
        from pg_trigger where starts_with(tgname, ${scratch})`)
    for (const { name, table } of triggers) await db.query(raw(`drop trigger ${name} on ${table}`))
    const schemas = await db.query<{ name: string }>(sql`
      select nspname as name from pg_namespace where starts_with(nspname, ${scratch})`)
    for (const { name } of schemas) await db.query(raw(`drop schema ${name} cascade`))
  })
}

async function replaceTable(db: Database, table: Table) {
  for (let tried = 1; ; tried++) {
    try {
      return await db.transaction((db) => changePlaces(db, table))
    } catch (error) {
      // Someone is reading for a long time. Readers behind us have continued by now.
      const isBusy = isLockTimeout(error) || isDeadlock(error)
      if (!isBusy || tried === TRIES) throw error
      await wait(Math.random() * PAUSE_MS)
    }
  }
}

async function changePlaces(db: Database, table: Table) {
  const { name, copy, scratch, key, parents, children } = table
  // Dropping a reference locks both tables. We lock in the same order as writers (the row first, then
  // its reference), or we'd rarely succeed.
  const deadline = performance.now() + LOCK_WITHIN_MS
  for (const each of [...children, name, ...parents]) {
    const left = Math.max(1, Math.round(deadline - performance.now()))
    await db.query(raw(`set local lock_timeout = ${left}`))
    await db.query(raw(`lock table ${each} in access exclusive mode`))
  }
  const changed = `(${key}) in (select ${key} from ${scratch}.changes)`
  await db.query(raw(`delete from ${copy} where ${changed}`))
  await copyRows(db, table, changed)
  for (const { on, constraint } of table.references)
    await db.query(raw(`alter table ${on} drop constraint ${constraint}`))
  await db.query(raw(`drop table ${name}`))
  await db.query(raw(`alter table ${copy} set schema ${table.schema}`))
  for (const { constraint, index, kind } of table.indexes)
    if (constraint)
      await db.query(
        raw(`alter table ${name} add constraint ${constraint} ${kind} using index ${index}`),
      )
  // All rows obeyed these references before, and new rows must. Validating them doesn't need the lock.
  for (const { on, constraint, definition } of table.references)
    await db.query(
      raw(
        `alter table ${on} add constraint ${constraint} ${definition.replace(/ NOT VALID$/, '')} not valid`,
      ),
    )
  for (const statement of [...table.triggers, ...table.grants]) await db.query(raw(statement))
  await db.query(raw(`drop schema ${scratch} cascade`))
}
