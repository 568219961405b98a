import sql from 'sql-template-tag'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import type { InterviewInput } from '#app/ratings/interviews/interview-input.ts'

export const anInterview = (over: Partial<InterviewInput> = {}): InterviewInput => ({
  year: 2026,
  steps: ['phone', 'onsite'],
  weeks: 3,
  hasOffer: true,
  difficulty: 3,
  feeling: 4,
  note: 'They asked about tea.',
  ...over,
})

/** Interviews of as many people, without their browsers. */
export const interviewsOf = (
  { db }: Pick<DataContext, 'db'>,
  companyId: string,
  people: number,
  { month = '2026-02-01', year = 2026 } = {},
) =>
  db.query(sql`
    insert into interviews
           (company_id, year, tag, holder_key_hash, removal_key_hash, version, month, steps, weeks, has_offer, difficulty,
            feeling, note, note_html)
    select ${companyId}, ${year}::smallint, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea),
           sha256('x'), 1, ${month}::date,
           case when n % 2 = 0 then '{phone,onsite}' else '{phone,task}' end::text[], n, n % 2 = 0, 3,
           4, 'They asked number ' || n, '<p>They asked number ' || n || '</p>'
      from generate_series(1, ${people}::integer) n`)
