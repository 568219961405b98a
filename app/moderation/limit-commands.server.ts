/** How often people may post and vote: our numbers, and those that whoever runs the site chose. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import {
  CHANGES,
  COMMENTS,
  THREADS,
  VOTING,
} from '#app/community/discussions/discussion.contract.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import { limitsChanged } from '#app/platform/http/chosen-limits.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import type { PostingLimit } from './moderation.contract.ts'

const LIMITS = [
  { limit: THREADS, what: 'Threads' },
  { limit: COMMENTS, what: 'Comments' },
  { limit: CHANGES, what: 'Changes of own posts' },
  { limit: VOTING, what: 'Votes' },
]

/** As the policy names what it counts. */
const OURS = LIMITS.flatMap(({ limit: { name, seconds, person, unproven, network }, what }) => [
  { name, what, of: 'member' as const, seconds, usual: person },
  { name: `${name}-unproven`, what, of: 'visitor' as const, seconds, usual: unproven },
  { name: `${name}-network`, what, of: 'network' as const, seconds, usual: network },
])

export async function postingLimits({ db }: Ctx): Promise<PostingLimit[]> {
  const chosen = new Map(
    (await db.query<{ name: string; uses: number }>(sql`select name, uses from chosen_limits`)).map(
      ({ name, uses }) => [name, uses],
    ),
  )
  return OURS.map((ours) => ({ ...ours, uses: chosen.get(ours.name) ?? ours.usual }))
}

/** @param uses null for our number again. In force in all processes in a moment. @throws Refusal not-found */
export const chooseLimit = (ctx: Ctx, name: string, uses: number | null) =>
  transaction(ctx, async (ctx) => {
    const ours = OURS.find((each) => each.name === name)
    if (!ours) throw notFound('There is no such limit')
    if (uses === null) await ctx.db.query(sql`delete from chosen_limits where name = ${name}`)
    else
      await ctx.db.query(sql`
        insert into chosen_limits (name, uses) values (${name}, ${uses})
        on conflict (name) do update set uses = excluded.uses`)
    await limitsChanged(ctx.db)
    return { ...ours, uses: uses ?? ours.usual }
  })
