/** Writes of what one follows. Members, employers and visitors may: it is kept under the author key. */
import sql from 'sql-template-tag'
import { takeAuthorTurn } from '../../auth/author-turn.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { requireAuthorKey } from '../../auth/require.server.ts'
import { type ServerContext, transaction } from '../../server/context.server.ts'
import { notFound, Refusal } from '../../server/refusal.ts'
import { COMPANY_NOT_FOUND } from '../companies/company.ts'
import type { AlertChoices } from './follow.contract.ts'
import { FOLLOWS_MAX, NOT_FOLLOWED } from './following.ts'

/** Twice is once; the choices of before stay. @throws Refusal sign-in-required, not-found, conflict */
export const follow = (ctx: Ctx, companyId: string) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const authorKey = requireAuthorKey(ctx)
    const [company] = await db.query(
      sql`select from companies where id = ${companyId} for key share`,
    )
    if (!company) throw notFound(COMPANY_NOT_FOUND)
    await takeAuthorTurn(db, authorKey)
    const [known] = await db.query<{ others: number; isFollowed: boolean }>(sql`
      select count(*)::integer as others,
             coalesce(bool_or(company_id = ${companyId}), false) as "isFollowed"
        from follows where author_key = ${authorKey}`)
    if (known && !known.isFollowed && known.others >= FOLLOWS_MAX)
      throw new Refusal(
        'conflict',
        `You follow ${FOLLOWS_MAX} companies, which is the most you can follow. Unfollow one first.`,
      )
    await db.query(sql`
      insert into follows (author_key, company_id) values (${authorKey}, ${companyId})
      on conflict do nothing`)
    return { isFollowing: true }
  })

/** Also of what one does not follow, or what is gone. @throws Refusal sign-in-required */
export async function unfollow(ctx: Ctx, companyId: string) {
  const authorKey = requireAuthorKey(ctx)
  await ctx.db.query(sql`
    delete from follows where author_key = ${authorKey} and company_id = ${companyId}`)
  return { isFollowing: false }
}

/** What is not named stays as it is. @throws Refusal sign-in-required, not-found */
export async function chooseAlerts(
  ctx: Ctx,
  companyId: string,
  { threads, ratings, policy, jobs, isPaused }: Partial<AlertChoices>,
): Promise<AlertChoices> {
  const authorKey = requireAuthorKey(ctx)
  const [chosen] = await ctx.db.query<AlertChoices>(sql`
    update follows
       set threads = coalesce(${threads ?? null}::boolean, threads),
           ratings = coalesce(${ratings ?? null}::boolean, ratings),
           policy = coalesce(${policy ?? null}::boolean, policy),
           jobs = coalesce(${jobs ?? null}::boolean, jobs),
           is_paused = coalesce(${isPaused ?? null}::boolean, is_paused)
     where author_key = ${authorKey} and company_id = ${companyId}
    returning threads, ratings, policy, jobs, is_paused as "isPaused"`)
  if (!chosen) throw notFound(NOT_FOLLOWED)
  return chosen
}

/** What goes with an account. */
export async function forgetFollower({ db }: Pick<ServerContext, 'db'>, authorKey: string) {
  await db.query(sql`delete from follows where author_key = ${authorKey}`)
}
