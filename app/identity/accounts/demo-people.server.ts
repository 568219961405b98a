/**
 * Accounts to log in with during development. We never create them in production, because their password
 * is public.
 */
import sql from 'sql-template-tag'
import { hashPassword } from '#app/api/auth/passwords.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { insertAccount } from './auth-server/user-commands.server.ts'
import { usernameKey } from './username.ts'

export const DEMO_PASSWORD = 'kettle-demo-1'
/** The owner, unless OWNER_EMAIL names another. */
export const DEMO_OWNER = 'olga@kettle.example'

const PEOPLE = [
  { email: 'dana@kettle.example', username: 'Dana', isAdmin: false, isEmployer: false },
  { email: 'erin@kettle.example', username: 'Erin', isAdmin: false, isEmployer: true },
  { email: 'ada@kettle.example', username: 'Ada', isAdmin: true, isEmployer: false },
  { email: DEMO_OWNER, username: 'Olga', isAdmin: true, isEmployer: false },
]

/**
 * Creates those that are missing.
 * @returns the addresses, and the ids of new employers
 */
export async function seedDemoPeople(ctx: ServerContext) {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const employers: string[] = []
  for (const { email, username, isAdmin, isEmployer } of PEOPLE)
    await transaction(ctx, async (ctx) => {
      const userMetadata = isEmployer ? { user_type: 'employer' } : {}
      const account = await insertAccount(ctx, {
        email,
        passwordHash,
        userMetadata,
        isEmailConfirmed: true,
      })
      if (!account) return
      const { id } = account
      await ctx.db.query(sql`
        insert into profiles (account_id, username, username_key)
        values (${id}, ${username}, ${usernameKey(username)}) on conflict do nothing`)
      if (isAdmin) await ctx.db.query(sql`insert into admin_users (id) values (${id})`)
      if (isEmployer) employers.push(id)
    })
  return { emails: PEOPLE.map(({ email }) => email), employers }
}
