/** Who is an administrator: changed by whoever runs the server, with `npm run admin`. */
import sql from 'sql-template-tag'
import type { ServerContext } from '../../server/context.server.ts'
import { accountByAddress } from './account-queries.server.ts'

type AdminCtx = Pick<ServerContext, 'db' | 'secrets' | 'now' | 'jobs'>

/** Each answers one sentence for the terminal. An unconfirmed address may be somebody else's. */
export async function grantAdmin(ctx: AdminCtx, email: string) {
  const account = await accountByAddress(ctx, email)
  if (!account) return `${email} has no account here. Sign up on the site first.`
  if (!account.isEmailConfirmed)
    return `${email} is not confirmed, so the account may be anybody's. Open the link in the confirmation mail first.`
  await ctx.db.query(
    sql`insert into admin_users (id) values (${account.id}) on conflict do nothing`,
  )
  return `${email} is an administrator now.`
}

export async function revokeAdmin(ctx: AdminCtx, email: string) {
  const account = await accountByAddress(ctx, email)
  if (account) await ctx.db.query(sql`delete from admin_users where id = ${account.id}`)
  return `${email} is no administrator any more.`
}

/** Their addresses, in alphabetical order. */
export async function listAdmins({ db, secrets }: Pick<AdminCtx, 'db' | 'secrets'>) {
  const admins = await db.query<{ sealed: string }>(sql`
    select account.email_sealed as sealed from admin_users admin
      join accounts account using (id)`)
  return admins.map(({ sealed }) => secrets.open(sealed)).sort()
}
