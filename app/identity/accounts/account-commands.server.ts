import sql from 'sql-template-tag'
import { authorKeyOfAccount } from '#app/api/auth/author-keys.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { broadcastActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import { openAccountRoot } from '#app/api/auth/roots.server.ts'
import { type Database, isUniqueViolation } from '#app/platform/database/database.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { badRequest, conflict, requireValid } from '#app/platform/http/refusal.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { ACCOUNT_REFUSALS, type PostsChoice } from './account.ts'
import { credOf } from './account-queries.server.ts'
import { generateUsername, usernameKey, usernameProblem } from './username.ts'

/** A generated name is taken once in millions of times, so needing more than a few tries means a bug. */
const TRIES = 20

/**
 * Creates the profile on first load (Spec §4), with the username from sign-up if it's free, or else a generated one.
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
    if (made.length > 0) await broadcastActorChange(ctx, id)
    const [profile] = await ctx.db.query<{ username: string }>(
      sql`select username from profiles where account_id = ${id}`,
    )
    if (profile) return profile.username
    username = generateUsername()
  }
  throw new Error('Couldn’t find a free username')
}

/** @throws Refusal conflict if the name is taken, in any case */
export async function changeUsername(ctx: Ctx, username: string) {
  const { id, memberSince } = requireAccount(ctx)
  requireValid(usernameProblem(username))
  await makeProfile(ctx)
  try {
    await transaction(ctx, async (ctx) => {
      await ctx.db.query(sql`
        update profiles set username = ${username}, username_key = ${usernameKey(username)}
         where account_id = ${id}`)
      await broadcastActorChange(ctx, id)
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict(ACCOUNT_REFUSALS.usernameTaken)
    throw error
  }
  return { id, username, memberSince, cred: await credOf(ctx) }
}

/** The task after an account is deleted: every feature forgets what it stored under its author key. */
export const ACCOUNT_DELETED_TASK: TaskKind<AccountDeleted> = 'account-deleted'

/** Everything is sealed, because people with the database can read the queue. */
export interface AccountDeleted {
  sealedKey: string
  /** Used to derive tags. Absent in tasks queued before there were ratings. */
  sealedAccount?: string
  /** Used to derive the keys of the person's rows. Absent in tasks queued before there were roots. */
  sealedRoot?: string
  posts: PostsChoice
}

/** @throws Refusal bad-request unless the username was typed again */
export async function deleteOwnAccount(ctx: Ctx, confirmation: string, posts: PostsChoice) {
  const { id, username } = requireAccount(ctx)
  if (confirmation.trim() !== username) throw badRequest(ACCOUNT_REFUSALS.typeUsername)
  await deleteAccount(ctx, { id, authorKey: authorKeyOfAccount(ctx.secrets, id), posts })
}

/**
 * Deletes an account with its sessions, profile and claims, for good, without checking permissions. A task handles its
 * posts. Until it has run, the account id, author key and root stay sealed in the queue.
 */
export const deleteAccount = (
  ctx: ServerContext,
  { id, authorKey, posts }: { id: string; authorKey: string; posts: PostsChoice },
) =>
  transaction(ctx, async ({ db, queue, secrets }) => {
    const [gone] = await db.query<{ root: string }>(
      sql`delete from accounts where id = ${id} returning root_sealed as root`,
    )
    const deleted: AccountDeleted = {
      sealedKey: secrets.seal(authorKey),
      sealedAccount: secrets.seal(id),
      ...(gone && {
        sealedRoot: secrets.seal(openAccountRoot(secrets, id, gone.root).toString('base64url')),
      }),
      posts,
    }
    await queue.enqueue(db, ACCOUNT_DELETED_TASK, deleted)
    await broadcastActorChange({ db, secrets }, id)
  })

/**
 * This only affects menus (S10), so accounts whose metadata has no room for it do without. The database removes it
 * with the last approved claim.
 */
export const showEmployersMenus = (db: Database, accountId: string) =>
  db.query(sql`
    update accounts set user_metadata = user_metadata || '{"user_type": "employer"}'::jsonb
     where id = ${accountId}
       and pg_column_size(user_metadata || '{"user_type": "employer"}'::jsonb) <= 8192`)
