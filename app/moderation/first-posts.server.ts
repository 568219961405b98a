/**
 * The first posts of whoever is new wait for a moderator, where a site wants that. Nothing is counted or
 * kept of anybody: at each post its author's others are looked for, as for bursts. D59.
 */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Owner } from '#app/api/auth/roots.server.ts'
import { minuteOf, type PostRef } from '#app/community/reports/report.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { allPostsOf, authorsOf } from './burst-look.server.ts'
import { holdByRule } from './hold.server.ts'

type HoldContext = Pick<ServerContext, 'db' | 'now' | 'jobs' | 'secrets'>

interface Rule {
  posts: number
  since: number
}

const ruleOf = async (db: Database): Promise<Rule | undefined> => {
  const [rule] = await db.query<Rule>(
    sql`select posts, since_minute as since from first_posts_rule`,
  )
  return rule
}

export const firstPosts = async ({ db }: Ctx) => ({ posts: (await ruleOf(db))?.posts ?? 0 })

/** 0 lets all through. Another number leaves what was approved since the rule began as it is. */
export async function chooseFirstPosts({ db, now }: Ctx, posts: number) {
  if (posts === 0) await db.query(sql`delete from first_posts_rule`)
  else
    await db.query(sql`
      insert into first_posts_rule (posts, since_minute) values (${posts}, ${minuteOf(now())})
      on conflict (is_only) do update set posts = excluded.posts`)
  return { posts }
}

/** Holds those of these posts whose author has not so many approved ones yet. */
export async function holdFirst(base: HoldContext, posts: PostRef[]) {
  const rule = await ruleOf(base.db)
  if (!rule) return
  for (const { id, author } of await authorsOf(base, posts)) {
    const post = posts.find((each) => each.id === id)
    if (post && (await approvedOf(base.db, author, { rule, but: id })) < rule.posts)
      await holdByRule(base, post, { cause: 'first' })
  }
}

/**
 * Shown ones from before the rule, and those that a moderator let through since: what is shown since and
 * was not looked at yet may only be too new to be held.
 */
async function approvedOf(db: Database, author: Owner, { rule, but }: { rule: Rule; but: string }) {
  const ids = (await allPostsOf(db, author)).map(({ id }) => id).filter((id) => id !== but)
  const [approved] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count
      from (select id, posted_minute from threads where id = any (${ids}::uuid[]) and hidden is null
            union all
            select id, posted_minute from comments
             where id = any (${ids}::uuid[]) and hidden is null and not is_deleted) shown
     where posted_minute < ${rule.since}
        or exists (select from moderation_cases
                    where is_cleared and (thread_id = shown.id or comment_id = shown.id))`)
  return approved?.count ?? 0
}
