/** No one else learns who follows a company. Its dashboard shows the number in fives. */
import sql, { raw } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { isOwn, type OwnRows } from '#app/api/auth/own-rows.server.ts'
import { openPersonRoots, rootOf, type SealedPersonRoot } from '#app/api/auth/roots.server.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { companyPath } from '../company.ts'
import type { Follow } from './follow.contract.ts'
import { FOLLOWS_MAX } from './following.ts'

type Row = Omit<Follow, 'company'> & {
  company: Omit<Follow['company'], 'path'> & { slug: string | null }
}

/** Without pages, because there are at most FOLLOWS_MAX. */
export async function myFollows(ctx: Ctx): Promise<{ follows: Follow[] }> {
  const root = rootOf(ctx)
  if (!root) return { follows: [] }
  const rows = await ctx.db.query<Row>(sql`
    select json_build_object(
             'id', c.id, 'slug', c.slug, 'name', c.name, 'category', c.category,
             'logoUrl', c.logo_url, 'rating', nullif(s.score, 0)) as company,
           follow.threads, follow.ratings, follow.policy, follow.jobs,
           follow.is_paused as "isPaused"
      from follows follow
      join companies c on c.id = follow.company_id
      join company_stats s on s.company_id = c.id
     where ${isOwn(FOLLOWED, root, 'follow')} order by c.name_key, c.id`)
  return {
    follows: rows.filter(isFirstOfCompany).map(({ company: { slug, ...company }, ...choices }) => ({
      ...choices,
      company: { ...company, path: companyPath({ id: company.id, slug }) },
    })),
  }
}

/** After a merge someone may have two rows for one company. */
const isFirstOfCompany = ({ company }: Row, i: number, rows: Row[]) =>
  rows[i - 1]?.company.id !== company.id

/** Requested separately from pages, which are the same for everyone. One statement covers all row numbers. */
export async function followedIds(ctx: Ctx): Promise<{ companyIds: string[] }> {
  const root = rootOf(ctx)
  if (!root) return { companyIds: [] }
  const rows = await ctx.db.query<{ id: string }>(
    sql`select distinct company_id as id from follows where ${isOwn(FOLLOWED, root)} order by 1`,
    PREPARED,
  )
  return { companyIds: rows.map(({ id }) => id) }
}

/** What the account follows, as its data export shows it. */
export async function followsExport(ctx: Pick<Ctx, 'db' | 'actor' | 'secrets'>) {
  const follows = await ctx.db.query(sql`
    select company.name as company, company.id as "companyId", threads, ratings, policy, jobs,
           is_paused as "isPaused"
      from follows join companies company on company.id = follows.company_id
     where ${isOwn(FOLLOWED, rootOf(ctx))} order by company.name_key, company.id`)
  return { follows }
}

/** The keys of follows, and followers for tasks that notify them. D40. */
export const FOLLOWED: OwnRows = { table: 'follows', kind: 'follow', max: FOLLOWS_MAX }

export const followKey = (root: Buffer, companyId: string) =>
  contextKey(root, FOLLOWED.kind, companyId)

export interface Follower {
  companyId: string
  root: Buffer
}

/** Followers of these companies who want this topic. */
export async function followersOf(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  companyIds: string[],
  topic: 'threads' | 'ratings' | 'policy' | 'jobs',
): Promise<Follower[]> {
  const rows = await db.query<SealedPersonRoot & { companyId: string }>(sql`
    select key, person_sealed as "personSealed", company_id as "companyId" from follows
     where company_id = any (${companyIds}::uuid[]) and ${raw(topic)} and not is_paused`)
  const people = openPersonRoots(secrets, rows)
  const followers = rows.map(({ companyId }, i) => ({ companyId, root: people[i]?.root as Buffer }))
  // After a merge someone may have two rows for one company.
  const known = new Set<string>()
  return followers.filter(({ companyId, root }) => {
    const follower = `${companyId} ${root.toString('hex')}`
    return !known.has(follower) && known.add(follower)
  })
}
