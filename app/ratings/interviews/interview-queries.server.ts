/** Reads public interviews. Everyone gets the same response. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { BREAKDOWN_MIN } from '#app/companies/company.ts'
import { currentCompanyId, noCompany } from '#app/companies/merging/merged-companies.server.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { overdueBefore } from '../publication.server.ts'
import { type NoteSort, SURGE_FACTOR, SURGE_MIN } from '../rating.ts'
import { notesPage } from '../rating-queries.server.ts'
import type { CompanyInterviews, InterviewView } from './interview.contract.ts'

/**
 * If last month is a surge, as for ratings, the numbers don't count it yet. Someone may have given several years'
 * interviews, or one at each of two merged companies, so five people are five of the same year and company.
 * @throws Refusal not-found, bad-request for another list's page marker
 */
export async function companyInterviews(
  ctx: Pick<Ctx, 'db' | 'now'>,
  companyId: string,
  page: { after?: string; sort?: NoteSort } = {},
): Promise<CompanyInterviews> {
  const [found] = await ctx.db.query<
    Pick<CompanyInterviews, 'formerIds' | 'surge' | 'numbers'> & { id: string }
  >(
    sql`
    with company as (select id from companies where id = ${currentCompanyId(companyId)}),
    told as (
      select shown.*, coalesce(given.merged_from, shown.company_id) as given_to
        from public_interviews shown left join interviews given on given.id = shown.id
       where shown.company_id = (select id from company)),
    months as (select month, count(*) as n from told group by month),
    surging as (
      select month from months recent
       where month >= ${overdueBefore(todayOf(ctx))}::date and n >= ${SURGE_MIN}
         and n >= ${SURGE_FACTOR} * (
           select sum(n) / 12.0 from months usual
            where usual.month < recent.month
              and usual.month >= recent.month - interval '12 months')),
    counted as (select * from told where month not in (select month from surging)),
    steps as (select step, count(*) as n from counted, unnest(steps) step group by step)
    select company.id, (select to_char(max(month), 'YYYY-MM') from surging) as surge,
           array(select id from company_merges where company_id = company.id order by id) as "formerIds",
           (select json_build_object(
                     'interviews', count(*), 'offers', round(100.0 * avg(has_offer::integer)),
                     'weeks', percentile_cont(0.5) within group (order by weeks),
                     'difficulty', percentile_disc(0.5) within group (order by difficulty),
                     'feeling', percentile_disc(0.5) within group (order by feeling),
                     'steps', (select json_agg(json_build_object('step', step, 'share',
                                        round(100.0 * n / (select count(*) from counted)))
                                      order by n desc, step)
                                 from steps))
              from counted
            having (select max(n)
                      from (select count(*) as n from counted group by year, given_to) people)
                   >= ${BREAKDOWN_MIN}) as numbers
      from company`,
    PREPARED,
  )
  if (!found) throw noCompany()
  const { id, ...shown } = found
  const { notes, next } = await notesPage<InterviewView>(ctx.db, 'interviews', {
    ...page,
    table: sql`public_interviews`,
    columns: sql`year, difficulty, feeling`,
    which: sql`company_id = ${id}`,
  })
  return { ...shown, interviews: notes, next }
}
