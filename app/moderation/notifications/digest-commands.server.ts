/** Who wants mails about news, and how often. No row means: none. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccount, unconfirmed } from '#app/api/auth/require.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { placeIn, type SealedColumn } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { Digest } from './notification.ts'

export const DIGEST_ACCOUNT: SealedColumn = {
  table: 'digests',
  column: 'account_sealed',
  key: 'reader',
  type: 'text',
}

/** An account, as the table of digests knows it: whoever has only the table does not know which. */
export const digestReader = (secrets: Secrets, accountId: string) =>
  secrets.hash('digest', accountId)

/** How often the person who asks wants a mail. */
export async function ownDigest(ctx: Ctx): Promise<{ digest: Digest }> {
  const { id } = requireAccount(ctx)
  const [choice] = await ctx.db.query<{ digest: Digest }>(
    sql`select every as digest from digests where reader = ${digestReader(ctx.secrets, id)}`,
  )
  return choice ?? { digest: 'off' }
}

/** @throws Refusal forbidden while nobody knows who reads the address */
export async function chooseDigest(ctx: Ctx, digest: Digest): Promise<{ digest: Digest }> {
  const { id, isEmailConfirmed } = requireAccount(ctx)
  if (digest === 'off') {
    await endDigest(ctx, id)
    return { digest }
  }
  if (!isEmailConfirmed) throw unconfirmed()
  const reader = digestReader(ctx.secrets, id)
  await ctx.db.query(sql`
    insert into digests (reader, account_sealed, every)
    values (${reader}, ${ctx.secrets.seal(id, placeIn(DIGEST_ACCOUNT, reader))}, ${digest})
    on conflict (reader) do update set every = excluded.every`)
  return { digest }
}

/** No more mails to this account. Whoever has the link of one may do it; done twice it is the same. */
export async function endDigest(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  accountId: string,
) {
  await db.query(sql`delete from digests where reader = ${digestReader(secrets, accountId)}`)
}
