/** Profiles, and the end of an account. */
import sql from 'sql-template-tag'
import { authorKeyOfAccount } from '#app/api/auth/author-keys.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { publishActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import { openRoot } from '#app/api/auth/roots.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { isUniqueViolation } from '#app/platform/database/database.server.ts'
import { badRequest, Refusal } from '#app/platform/http/refusal.ts'
import type { PostsChoice } from './account.ts'
import { credOf } from './cred.server.ts'
import { generateUsername, usernameKey, usernameProblem } from './username.ts'

/** A generated name is taken one time in millions; more than a few tries mean a bug. */
const TRIES = 20

/**
 * Makes the profile at the first load (Spec §4): with the username that came along at sign-up, if it
 * can be had, else with a generated one.
 */
export async function makeProfile(ctx: Ctx): Promise<string> {
  const { id } = requireAccount(ctx)
  const [account] = await ctx.db.query<{ wished: string | null }>(
    sql`select user_metadata ->> 'username' as wished from accounts where id = ${id}`,
  )
  const wished = account?.wished ?? ''
  let username = usernameProblem(wished) ? generateUsername() : wished
  for (let tried = 0; tried < TRIES; tried++) {
    const made = await ctx.db.query(sql`
      insert into profiles (account_id, username, username_key)
      values (${id}, ${username}, ${usernameKey(username)})
      on conflict do nothing returning account_id`)
    if (made.length > 0) await publishActorChange(ctx, id)
    const [profile] = await ctx.db.query<{ username: string }>(
      sql`select username from profiles where account_id = ${id}`,
    )
    if (profile) return profile.username
    username = generateUsername()
  }
  throw new Error('No free username was found')
}

/** @throws Refusal conflict for a name that somebody has, in whatever case */
export async function changeUsername(ctx: Ctx, username: string) {
  const { id, memberSince } = requireAccount(ctx)
  const problem = usernameProblem(username)
  if (problem) throw badRequest(problem)
  await makeProfile(ctx)
  try {
    await transaction(ctx, async (ctx) => {
      await ctx.db.query(sql`
        update profiles set username = ${username}, username_key = ${usernameKey(username)}
         where account_id = ${id}`)
      await publishActorChange(ctx, id)
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal('conflict', 'This username is taken')
    throw error
  }
  return { id, username, memberSince, cred: await credOf(ctx) }
}

/** What follows when an account goes; whoever keeps something under the author key handles it. */
export const ACCOUNT_DELETED = 'account-deleted'

/** Sealed both: the queue lies open in the database. */
export interface AccountDeleted {
  sealedKey: string
  /** What tags are made from. A job that waited since before there were ratings has none. */
  sealedAccount?: string
  /** What the keys of one's own rows are made from. One that waited since before there were roots has none. */
  sealedRoot?: string
  posts: PostsChoice
}

/** @throws Refusal bad-request unless the own username was typed again */
export async function deleteOwnAccount(ctx: Ctx, confirmation: string, posts: PostsChoice) {
  const { id, username } = requireAccount(ctx)
  if (confirmation.trim() !== username)
    throw badRequest('Type your username exactly as it is shown, to delete the account')
  await deleteAccount(ctx, { id, authorKey: authorKeyOfAccount(ctx.secrets, id), posts })
}

/**
 * Deletes an account with its sessions, profile and claims, for good; who may was asked before. What
 * it wrote follows in a job, whose account id, author key and root lie sealed in the queue meanwhile.
 */
export const deleteAccount = (
  ctx: ServerContext,
  { id, authorKey, posts }: { id: string; authorKey: string; posts: PostsChoice },
) =>
  transaction(ctx, async ({ db, jobs, secrets }) => {
    const [gone] = await db.query<{ root: string }>(
      sql`delete from accounts where id = ${id} returning root_sealed as root`,
    )
    const deleted: AccountDeleted = {
      sealedKey: secrets.seal(authorKey),
      sealedAccount: secrets.seal(id),
      ...(gone && {
        sealedRoot: secrets.seal(openRoot(secrets, id, gone.root).toString('base64url')),
      }),
      posts,
    }
    await jobs.enqueue(db, ACCOUNT_DELETED, deleted)
    await publishActorChange({ db, secrets }, id)
  })

/**
 * S10: it shapes menus and nothing else, so an account whose metadata has no room for it does
 * without. When the last approved claim goes, the database takes it away.
 */
export const showEmployersMenus = (db: Database, accountId: string) =>
  db.query(sql`
    update accounts set user_metadata = user_metadata || '{"user_type": "employer"}'::jsonb
     where id = ${accountId}
       and pg_column_size(user_metadata || '{"user_type": "employer"}'::jsonb) <= 8192`)
