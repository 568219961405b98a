/** Of `company_policies`. */
import sql from 'sql-template-tag'

/** Row `p`. */
export const policyJson = sql`json_build_object(
  'mode', p.mode, 'days', p.days, 'since', to_char(p.since, 'YYYY-MM'), 'source', p.source)`

/** The latest of company `c`, or null. */
export const policyColumn = sql`(
  select ${policyJson} from company_policies p where p.company_id = c.id order by p.id desc limit 1)`
