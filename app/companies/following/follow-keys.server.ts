/** Under which keys it lies who follows what, and whom that is for the jobs that tell them. D40. */
import sql, { raw } from 'sql-template-tag'
import { asBytea, type Carried, hasAuthor } from '#app/api/auth/carry-over.server.ts'
import { contextKey, numberKeys } from '#app/api/auth/context-keys.server.ts'
import type { OwnRows } from '#app/api/auth/own-rows.server.ts'
import { type OwnedRow, openOwners, sealOwner } from '#app/api/auth/sealed-owners.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { FOLLOWS_MAX } from './following.ts'

export const FOLLOWED: OwnRows = { table: 'follows', kind: 'follow', max: FOLLOWS_MAX }

export const followKey = (root: Buffer, companyId: string) =>
  contextKey(root, FOLLOWED.kind, companyId)

export interface Follower {
  companyId: string
  root: Buffer
}

/** Who wants to hear this of these companies. */
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
  // Who followed two companies that were merged has two rows of one.
  const known = new Set<string>()
  return followers.filter(({ companyId, root }) => {
    const follower = `${companyId} ${root.toString('hex')}`
    return !known.has(follower) && known.add(follower)
  })
}

export const carriedFollows: Carried = {
  table: FOLLOWED.table,
  order: { author_key: 'text', company_id: 'uuid' },
  carry({ author_key: _, ...follow }, owner, { number, secrets }) {
    const [mine] = numberKeys(owner.root, FOLLOWED.kind, number, 1)
    if (!mine || number >= FOLLOWED.max || !hasAuthor(owner)) return undefined
    const key = followKey(owner.root, follow.company_id)
    const sealed = sealOwner(secrets, key, owner)
    return { ...follow, key: asBytea(key), mine: asBytea(mine), owner: asBytea(sealed) }
  },
}
