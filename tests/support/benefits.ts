import sql from 'sql-template-tag'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import type { BenefitsInput } from '#app/ratings/benefits/benefits-input.ts'

export const aBenefits = (over: Partial<BenefitsInput> = {}): BenefitsInput => ({
  year: 2026,
  has: ['company-pension', 'flexible-hours'],
  uses: ['flexible-hours'],
  leaveWeeks: 16,
  daysOff: 28,
  ...over,
})

/** Entries of as many people, without their browsers. Half of them use what they have. */
export const benefitsOf = (
  { db }: Pick<DataContext, 'db'>,
  companyId: string,
  people: number,
  { has, leaveWeeks, daysOff }: BenefitsInput = aBenefits(),
) =>
  db.query(sql`
    insert into benefit_entries
           (company_id, year, tag, holder_key_hash, removal_key_hash, version, month, has, uses, leave_weeks, days_off)
    select ${companyId}, 2026, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea),
           sha256('x'), 1, '2026-03-01', ${has}::text[],
           case when n % 2 = 0 then ${has}::text[] else '{}' end, ${leaveWeeks}::smallint,
           ${daysOff}::smallint + n % 3
      from generate_series(1, ${people}::integer) n`)
