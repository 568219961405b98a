/** Interviews of demo companies. Real companies get none. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { markdownHtml } from '#app/kit/writing/markdown.ts'
import { type DataContext, transaction } from '#app/platform/database/server-context.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { projectFolder } from '#app/platform/folders.server.ts'
import { monthBefore } from '../starter-ratings.server.ts'
import type { InterviewInput } from './interview-input.ts'

interface StarterInterview extends Omit<InterviewInput, 'year'> {
  company: string
  yearsAgo: number
  monthsAgo: number
}

/** Public immediately, because they can't reveal anyone. Does nothing if there are any. @returns how many were added */
export async function loadStarterInterviews(ctx: DataContext): Promise<number> {
  const told: StarterInterview[] = JSON.parse(
    await readFile(join(projectFolder, 'db/starter/demo-interviews.json'), 'utf8'),
  )
  const today = dayOf(ctx.now())
  const rows = told.map(({ yearsAgo, monthsAgo, hasOffer, ...interview }) => ({
    ...interview,
    id: randomUUID(),
    year: Number(today.slice(0, 4)) - yearsAgo,
    month: monthBefore(today, monthsAgo),
    has_offer: hasOffer,
    note_html: markdownHtml(interview.note),
  }))
  return transaction(ctx, async ({ db }) => {
    await db.query(sql`lock table interviews in share row exclusive mode`)
    const added = await db.query(sql`
      insert into public_interviews
             (id, company_id, year, month, steps, weeks, has_offer, difficulty, feeling, note, note_html)
      select row.id, companies.id, year, month, steps, weeks, has_offer, difficulty, feeling, note, note_html
        from json_to_recordset(${JSON.stringify(rows)}::json) as row(
          id uuid, company text, year smallint, month date, steps text[], weeks smallint,
          has_offer boolean, difficulty smallint, feeling smallint, note text, note_html text)
        join companies on companies.demo and companies.name = row.company
       where not exists (select from public_interviews)
       order by gen_random_uuid()
      returning id`)
    return added.length
  })
}
