/** Reads of what one follows. Who follows a company is nobody's business; its dashboard tells fives. */
import sql from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { companyPath } from '../companies/company.ts'
import type { Follow } from './follow.contract.ts'

type Row = Omit<Follow, 'company'> & {
  company: Omit<Follow['company'], 'path'> & { slug: string | null }
}

/** All of them: they are bounded. */
export async function myFollows({ db, actor }: Ctx): Promise<{ follows: Follow[] }> {
  if (actor.authorKey === null) return { follows: [] }
  const rows = await db.query<Row>(sql`
    select json_build_object(
             'id', c.id, 'slug', c.slug, 'name', c.name, 'category', c.category,
             'logoUrl', c.logo_url, 'rating', nullif(s.score, 0)) as company,
           follow.threads, follow.ratings, follow.policy, follow.jobs,
           follow.is_paused as "isPaused"
      from follows follow
      join companies c on c.id = follow.company_id
      join company_stats s on s.company_id = c.id
     where follow.author_key = ${actor.authorKey} order by c.name_key, c.id`)
  return {
    follows: rows.map(({ company: { slug, ...company }, ...choices }) => ({
      ...choices,
      company: { ...company, path: companyPath({ id: company.id, slug }) },
    })),
  }
}

/** Asked for beside pages, which are the same for everybody: one look into the primary key. */
export async function followedIds({ db, actor }: Ctx): Promise<{ companyIds: string[] }> {
  if (actor.authorKey === null) return { companyIds: [] }
  const rows = await db.query<{ id: string }>(
    sql`select company_id as id from follows where author_key = ${actor.authorKey} order by 1`,
    { name: 'followed-ids' },
  )
  return { companyIds: rows.map(({ id }) => id) }
}

/** Everything that somebody follows, to take away. */
export async function followsExport({ db, actor }: Pick<Ctx, 'db' | 'actor'>) {
  const follows = await db.query(sql`
    select company.name as company, company.id as "companyId", threads, ratings, policy, jobs,
           is_paused as "isPaused"
      from follows join companies company on company.id = follows.company_id
     where author_key = ${actor.authorKey} order by company.name_key, company.id`)
  return { follows }
}
