/** The keys of follows, and followers for jobs that notify them. D40. */
import sql, { raw } from 'sql-template-tag'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import type { OwnRows } from '#app/api/auth/own-rows.server.ts'
import { type OwnedRow, openOwners } from '#app/api/auth/roots.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { FOLLOWS_MAX } from './following.ts'

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
  const rows = await db.query<OwnedRow & { companyId: string }>(sql`
    select key, owner, company_id as "companyId" from follows
     where company_id = any (${companyIds}::uuid[]) and ${raw(topic)} and not is_paused`)
  const owners = openOwners(secrets, rows)
  const followers = rows.map(({ companyId }, i) => ({ companyId, root: owners[i]?.root as Buffer }))
  // After a merge someone may have two rows for one company.
  const known = new Set<string>()
  return followers.filter(({ companyId, root }) => {
    const follower = `${companyId} ${root.toString('hex')}`
    return !known.has(follower) && known.add(follower)
  })
}
