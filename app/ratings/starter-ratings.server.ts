/** Ratings of the demo companies. Real companies get none. */
import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { markdownHtml } from '#app/kit/writing/markdown.ts'
import { type DataContext, transaction } from '#app/platform/database/server-context.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { projectFolder } from '#app/platform/folders.server.ts'
import type { RatingSettings } from './publication.server.ts'
import { ERAS, RELATIONS } from './rating.ts'
import { recountRatings } from './rating-counters.server.ts'
import type { RatingInput } from './rating-input.ts'

type Scores = Pick<RatingInput, 'rto' | 'dei' | 'workLife' | 'culture'>
interface StarterRating extends Partial<RatingInput> {
  monthsAgo: number
  helpful?: number
}
interface RatedCompany {
  company: string
  /** Ratings without a note vary around this. Null for what few people can judge. */
  usual: Scores
  office: number
  /** How many ratings have no note. */
  silent: number
  notes: StarterRating[]
}

const MONTHS = 20

/** Does nothing if there are ratings already. @returns how many were added */
export async function loadStarterRatings(
  ctx: DataContext,
  { minShown }: Pick<RatingSettings, 'minShown'>,
): Promise<number> {
  const rated: RatedCompany[] = JSON.parse(
    await readFile(join(projectFolder, 'db/starter/demo-ratings.json'), 'utf8'),
  )
  return transaction(ctx, async ({ db, now }) => {
    await db.query(sql`lock table ratings in share row exclusive mode`)
    const [first] = await db.query(sql`select from ratings limit 1`)
    if (first) return 0
    const companies = await db.query<{ id: string; name: string }>(
      sql`select id, name from companies where demo`,
    )
    const idOf = new Map(companies.map(({ id, name }) => [name, id]))
    const today = dayOf(now())
    const rows = rated.flatMap(({ company, notes, ...character }) => {
      const companyId = idOf.get(company)
      if (!companyId) return []
      const ratings = [...notes, ...silentRatings(company, character)]
      return ratings.map((rating) => rowOf(rating, companyId, today))
    })
    // Public immediately, because a number can't reveal anyone here.
    for (const [table, own] of [
      [sql`ratings`, sql`tag`],
      [sql`public_ratings`, sql`helpful`],
    ] as const)
      await db.query(sql`
        insert into ${table} (id, company_id, month, rto, dei, work_life, culture, office_days,
                              relation, era, note, note_html, ${own})
        select id, company_id, month, rto, dei, work_life, culture, office_days, relation, era,
               note, note_html, ${own}
          from json_to_recordset(${JSON.stringify(rows)}::json) as row(
            id uuid, company_id uuid, tag text, month date, rto smallint, dei smallint,
            work_life smallint, culture smallint, office_days smallint, relation text, era text,
            note text, note_html text, helpful integer)
         order by gen_random_uuid()`)
    // Add as many votes as we show, so a recount agrees.
    await db.query(sql`
      insert into rating_votes (rating_id, key, is_counted)
      select id, uuid_send(gen_random_uuid()), true from public_ratings cross join lateral generate_series(1, helpful) n`)
    await recountRatings(db, { today, minShown })
    return rows.length
  })
}

const rowOf = (rating: StarterRating, companyId: string, today: string) => {
  const note = rating.note ?? ''
  return {
    id: randomUUID(),
    company_id: companyId,
    tag: `starter ${randomUUID()}`,
    month: monthBefore(today, rating.monthsAgo),
    rto: rating.rto,
    dei: rating.dei,
    work_life: rating.workLife,
    culture: rating.culture,
    office_days: rating.officeDays,
    relation: rating.relation,
    era: rating.era,
    note,
    note_html: markdownHtml(note),
    helpful: rating.helpful ?? 0,
  }
}

export function monthBefore(today: string, monthsAgo: number) {
  const date = new Date(`${today.slice(0, 7)}-01`)
  date.setUTCMonth(date.getUTCMonth() - monthsAgo)
  return dayOf(date)
}

/** Stars without a note. They vary around the usual ones, and are the same on every machine. */
function silentRatings(
  company: string,
  { usual, office, silent }: Omit<RatedCompany, 'company' | 'notes'>,
): StarterRating[] {
  return Array.from({ length: silent }, (_, n) => {
    const seed = createHash('sha256').update(`${company} ${n}`).digest()
    const draw = (at: number, among: number) => (seed[at] as number) % among
    const stars = (at: number, around: number | null) => {
      if (around === null || draw(at + 8, 6) === 0) return null
      const off = [-2, -1, -1, 0, 0, 0, 0, 1, 1, 1][draw(at, 10)] as number
      return Math.min(5, Math.max(1, around + off)) as 1 | 2 | 3 | 4 | 5
    }
    return {
      monthsAgo: draw(20, MONTHS),
      rto: stars(0, usual.rto),
      dei: stars(1, usual.dei),
      workLife: stars(2, usual.workLife),
      // A rating needs at least one category.
      culture: stars(3, usual.culture) ?? 3,
      officeDays:
        draw(4, 3) === 0 ? null : (Math.min(5, Math.max(0, office + draw(5, 3) - 1)) as 0),
      relation: [...RELATIONS, 'current', 'current', null][draw(6, 6)] as RatingInput['relation'],
      era: draw(7, 2) === 0 ? null : (ERAS[draw(21, 3)] ?? null),
    }
  })
}
