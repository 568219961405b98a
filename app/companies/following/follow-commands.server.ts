/** Members, employers and visitors may follow. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { insertOwn, isOwn, removeOwn } from '#app/api/auth/own-rows.server.ts'
import { requirePersonRoot } from '#app/api/auth/require.server.ts'
import { sealPersonRoot } from '#app/api/auth/roots.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { conflict, notFound } from '#app/platform/http/refusal.ts'
import { lockCompany } from '../company-commands.server.ts'
import { currentCompanyId, withCurrentCompany } from '../merging/merged-companies.server.ts'
import type { AlertChoices } from './follow.contract.ts'
import { FOLLOWED, followKey } from './follow-queries.server.ts'
import { FOLLOW_REFUSALS } from './following.ts'

export const setFollowing = (ctx: Ctx, companyId: string, isFollowing: boolean) =>
  isFollowing ? follow(ctx, companyId) : unfollow(ctx, companyId)

/** Idempotent. Earlier choices stay. @throws Refusal sign-in-required, not-found, conflict */
export const follow = (ctx: Ctx, companyId: string) =>
  withCurrentCompany(ctx.db, companyId, (companyId) => followOnce(ctx, companyId))

const followOnce = (ctx: Ctx, requestedId: string) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const person = requirePersonRoot(ctx)
    const { id: companyId } = await lockCompany(db, requestedId)
    // The person may already follow a company merged into this one.
    const known = await db.query(
      sql`select from follows where ${isMine(person.root, companyId)} limit 1`,
    )
    if (known.length > 0) return { isFollowing: true }
    const key = followKey(person.root, companyId)
    const followed = await insertOwn(db, FOLLOWED, {
      root: person.root,
      key,
      insert: (ownRowKey) => sql`
        insert into follows (key, own_row_key, person_sealed, company_id)
        values (${key}, ${ownRowKey}, ${sealPersonRoot(ctx.secrets, key, person)}, ${companyId})
        on conflict do nothing returning company_id`,
    })
    if (!followed) throw conflict(FOLLOW_REFUSALS.full)
    return { isFollowing: true }
  })

/** All the person's rows, because there may be several after a merge. */
const isMine = (root: Buffer, companyId: string) => sql`
  company_id = ${currentCompanyId(companyId)} and ${isOwn(FOLLOWED, root)}`

/** Idempotent. @throws Refusal sign-in-required */
export async function unfollow(ctx: Ctx, companyId: string) {
  const { root } = requirePersonRoot(ctx)
  await ctx.db.query(sql`delete from follows where ${isMine(root, companyId)}`)
  return { isFollowing: false }
}

/** Changes only the given choices. @throws Refusal sign-in-required, not-found */
export async function chooseAlerts(
  ctx: Ctx,
  companyId: string,
  { threads, ratings, policy, jobs, isPaused }: Partial<AlertChoices>,
): Promise<AlertChoices> {
  const { root } = requirePersonRoot(ctx)
  const [chosen] = await ctx.db.query<AlertChoices>(sql`
    update follows
       set threads = coalesce(${threads ?? null}::boolean, threads),
           ratings = coalesce(${ratings ?? null}::boolean, ratings),
           policy = coalesce(${policy ?? null}::boolean, policy),
           jobs = coalesce(${jobs ?? null}::boolean, jobs),
           is_paused = coalesce(${isPaused ?? null}::boolean, is_paused)
     where ${isMine(root, companyId)}
    returning threads, ratings, policy, jobs, is_paused as "isPaused"`)
  if (!chosen) throw notFound(FOLLOW_REFUSALS.notFollowed)
  return chosen
}

/** Removes what a deleted account followed. */
export async function forgetFollower({ db }: Pick<ServerContext, 'db'>, root: Buffer) {
  await removeOwn(db, FOLLOWED, root)
}
