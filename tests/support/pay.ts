import sql from 'sql-template-tag'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import type { PayInput } from '#app/ratings/pay/pay-input.ts'

export const aPay = (over: Partial<PayInput> = {}): PayInput => ({
  year: 2026,
  title: 'software-engineer',
  area: 'CH/zurich',
  currency: 'CHF',
  base: 120_000,
  bonus: 10_000,
  equity: 0,
  experience: '5-9',
  isYearly: false,
  ...over,
})

/** Entries of as many people, without their browsers. */
export const payOf = (
  { db }: Pick<DataContext, 'db'>,
  companyId: string,
  people: number,
  title = 'nurse',
) =>
  db.query(sql`
    insert into pay_entries
           (company_id, year, tag, holder_key_hash, removal_key_hash, version, month, title, area, currency, base, bonus,
            equity, experience, is_verified)
    select ${companyId}, 2026, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea),
           sha256('x'), 1, '2026-03-01', ${title}, 'CH/bern', 'CHF', 60000 + 1000 * n, 0, 0, '2-4',
           n % 2 = 0
      from generate_series(1, ${people}::integer) n`)
