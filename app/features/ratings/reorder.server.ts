/**
 * Writes the table of ratings anew, in another order, under one transaction id: neither the place of
 * a row nor the number of its transaction tells any more who rated when. A copy is made beside the
 * table while people read and write; what changes meanwhile is noted and copied again at the end,
 * and then the two change places, which takes moments. A process that dies in the middle leaves the
 * table as it was.
 */
import sql, { raw } from 'sql-template-tag'
import type { Database } from '../../server/database.server.ts'

/** As the migration makes them. */
const INDEXES = {
  ratings_by_id: 'unique (id)',
  ratings_by_tag: 'unique (tag)',
  ratings_by_company: '(company_id)',
  ratings_notes: "(company_id, month, id) where note <> '' and note_hidden is null",
  ratings_hidden: '(company_id) where note_hidden is not null',
} as const

/** Readers that come meanwhile wait behind this, so it gives up soon and tries again. */
const LOCK_TIMEOUT_MS = 500
const TRIES = 20

/** Once a day; one process at a time. */
export async function reorderRatings(db: Database) {
  await clearAway(db)
  await db.transaction(async (db) => {
    await db.query(sql`
      create table ratings_next (like ratings including defaults including constraints)`)
    await db.query(sql`create table rating_changes (id uuid not null)`)
    await db.query(sql`
      create trigger rating_changed after insert or update or delete on ratings
        for each row execute function rating_changed()`)
  })
  try {
    await atLength(db, async (db) => {
      // A company's rows beside each other, so that its page reads few places.
      await db.query(sql`
        insert into ratings_next select * from ratings order by company_id, gen_random_uuid()`)
      await reorderCounters(db)
    })
    await atLength(db, async (db) => {
      for (const [name, definition] of Object.entries(INDEXES))
        await db.query(createIndex(`${name}_next`, definition))
    })
    await db.query(sql`
      alter table ratings_next add constraint ratings_next_company
        foreign key (company_id) references companies on delete cascade not valid`)
    await db.query(sql`analyze ratings_next`)
    await replaceTable(db)
  } catch (error) {
    await clearAway(db).catch(() => {})
    throw error
  }
}

/** For what takes as long as the table is large: no statement is ended for its length. */
const atLength = (db: Database, work: (db: Database) => Promise<void>) =>
  db.transaction(async (db) => {
    await db.query(sql`set local statement_timeout = 0`)
    await work(db)
  })

/**
 * The counters that a rating changes tell by the same number when it was given, and where a company
 * has one rating, whose neighbour it is. So those that changed since the last run are written again,
 * as they are, under the number of this run, which the new table keeps as its comment.
 */
async function reorderCounters(db: Database) {
  const [run] = await db.query<{ now: string; last: string | null }>(sql`
    select pg_current_xact_id()::xid::text as now,
           substring(obj_description('ratings'::regclass) from '\\d+') as last`)
  const isNewer = run?.last ? sql`age(xmin) < age(${run.last}::text::xid)` : sql`true`
  // Whoever rates just now is not waited for, so that nobody waits in a circle.
  await db.query(sql`
    update rating_months set ratings = ratings where (company_id, month) in (
      select company_id, month from rating_months where ${isNewer} for update skip locked)`)
  await db.query(sql`
    update company_stats set ratings = ratings where company_id in (
      select company_id from company_stats where ${isNewer} and ratings > 0
         for update skip locked)`)
  await db.query(raw(`comment on table ratings_next is 'shuffled by ${Number(run?.now)}'`))
}

function createIndex(name: string, definition: string) {
  const [, unique, rest] = /^(unique )?(.+)$/s.exec(definition) ?? []
  return raw(`create ${unique ?? ''}index ${name} on ratings_next ${rest}`)
}

/** What a run that died has left. */
async function clearAway(db: Database) {
  await db.query(sql`drop trigger if exists rating_changed on ratings`)
  await db.query(sql`drop table if exists rating_changes`)
  await db.query(sql`drop table if exists ratings_next`)
}

async function replaceTable(db: Database) {
  for (let tried = 1; ; tried++) {
    try {
      return await db.transaction(async (db) => {
        await db.query(raw(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`))
        // Dropping a table locks what it refers to. In the order in which raters lock the two:
        // in the other, this would give way to each of them and never get through on a busy day.
        await db.query(sql`lock table companies, ratings in access exclusive mode`)
        await db.query(sql`delete from ratings_next where id in (select id from rating_changes)`)
        await db.query(sql`
          insert into ratings_next select * from ratings
           where id in (select id from rating_changes) order by gen_random_uuid()`)
        await db.query(sql`drop table ratings, rating_changes`)
        await db.query(sql`alter table ratings_next rename to ratings`)
        await db.query(sql`
          alter table ratings rename constraint ratings_next_company to ratings_company`)
        for (const name of Object.keys(INDEXES))
          await db.query(raw(`alter index ${name}_next rename to ${name}`))
      })
    } catch (error) {
      // Somebody reads for long; readers behind us have gone on meanwhile.
      if ((error as { code?: string }).code !== '55P03' || tried === TRIES) throw error
    }
  }
}
