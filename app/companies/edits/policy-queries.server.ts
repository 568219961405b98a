/** What companies say of days in the office, as the rows of `company_policies` have it. */
import sql from 'sql-template-tag'

/** One row `p`. */
export const policyJson = sql`json_build_object(
  'mode', p.mode, 'days', p.days, 'since', to_char(p.since, 'YYYY-MM'), 'source', p.source)`

/** The last that the company `c` said; null while nobody has written one down. */
export const policyColumn = sql`(
  select ${policyJson} from company_policies p where p.company_id = c.id order by p.id desc limit 1)`
