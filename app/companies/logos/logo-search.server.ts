/** Spec §5: tries to find logos of companies without one, a few at a time. */
import sql from 'sql-template-tag'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { DAY_MS, dayOf } from '#app/platform/jobs/days.server.ts'
import { LOGO_FETCH } from './logo-commands.server.ts'

/** Hundreds are tried within hours, a million within half a year. */
export const PORTION = 20
export const PORTION_MS = 5 * 60_000
/** Companies read at once, to skip those with a logo. */
const LOOKED_THROUGH = 1_000
/** After this long, a site may have a logo now. */
const REST_DAYS = 30

const BEGINNING = '00000000-0000-0000-0000-000000000000'

interface Search {
  after: string
  isOver: boolean
  isRested: boolean
}

/** One portion: goes through all companies by id, pauses, and starts over. */
export const searchMissingLogos = (
  { now, jobs }: Pick<ServerContext, 'now' | 'jobs'>,
  db: Database,
) =>
  db.transaction(async (db) => {
    const today = dayOf(now())
    const rested = dayOf(new Date(now().getTime() - REST_DAYS * DAY_MS))
    await db.query(sql`
      insert into logo_search (after, began_on, is_over) values (${BEGINNING}, ${today}, false)
      on conflict do nothing`)
    const [search] = await db.query<Search>(sql`
      select after, is_over as "isOver", began_on <= ${rested} as "isRested"
        from logo_search for update`)
    if (!search || (search.isOver && !search.isRested)) return
    if (search.isOver)
      await db.query(sql`
        update logo_search set after = ${BEGINNING}, began_on = ${today}, is_over = false`)
    const after = search.isOver ? BEGINNING : search.after

    const looked = await db.query<{ id: string; isMissing: boolean }>(sql`
      select id, logo_url is null and website is not null and not demo as "isMissing"
        from companies where id > ${after}::uuid order by id limit ${LOOKED_THROUGH}`)
    const missing = looked.filter(({ isMissing }) => isMissing).slice(0, PORTION)
    for (const { id } of missing)
      await jobs.enqueue(db, LOGO_FETCH, { companyId: id, isFirst: true })
    const last = missing.length === PORTION ? missing.at(-1) : looked.at(-1)
    if (!last) return
    const isOver = looked.length < LOOKED_THROUGH && last === looked.at(-1)
    await db.query(sql`update logo_search set after = ${last.id}, is_over = ${isOver}`)
  })
