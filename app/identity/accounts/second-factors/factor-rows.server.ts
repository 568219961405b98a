/** Second factors as we store them, with name and secret sealed for their row. D38. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { broadcastActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import { type SealedColumn, sealContext } from '#app/platform/database/sealed-columns.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'

export const FACTOR_KINDS = ['totp', 'webauthn'] as const
export type FactorKind = (typeof FACTOR_KINDS)[number]

export const SEALED_FACTORS: SealedColumn = {
  table: 'second_factors',
  column: 'sealed',
  key: 'id',
  type: 'uuid',
}

/** Has no signature counter, because that would change with each use. */
export interface PasskeyKey {
  id: string
  publicKey: string
  transports: string[]
}

interface StoredFactor {
  /** The name the person chose, or an empty string. */
  name: string
  /** An authenticator app's secret, in base32. */
  secret?: string
  /** Absent until its registration is verified. */
  passkey?: PasskeyKey
}

/** Stays on the server. We only send `factorView`. */
export interface Factor extends StoredFactor {
  id: string
  kind: FactorKind
  isVerified: boolean
}

type Ctx = Pick<ServerContext, 'db' | 'secrets'>

const seal = ({ secrets }: Ctx, id: string, { name, secret, passkey }: StoredFactor) =>
  secrets.seal(JSON.stringify({ name, secret, passkey }), sealContext(SEALED_FACTORS, id))

/** Sorted by name, so nothing says which came first. */
export async function factorsOf(ctx: Ctx, accountId: string): Promise<Factor[]> {
  const rows = await ctx.db.query<Pick<Factor, 'id' | 'kind' | 'isVerified'> & { sealed: string }>(
    sql`select id, kind, is_verified as "isVerified", sealed from second_factors
         where account_id = ${accountId}`,
    PREPARED,
  )
  return rows
    .map(({ sealed, ...row }) => {
      const stored: StoredFactor = JSON.parse(
        ctx.secrets.open(sealed, sealContext(SEALED_FACTORS, row.id)),
      )
      return { ...stored, ...row }
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1))
}

/** Replaces an unverified one. The caller has locked the account. */
export async function insertFactor(
  ctx: Ctx,
  accountId: string,
  kind: FactorKind,
  factor: StoredFactor,
) {
  const id = randomUUID()
  await ctx.db.query(
    sql`delete from second_factors where account_id = ${accountId} and not is_verified`,
  )
  await ctx.db.query(sql`
    insert into second_factors (id, account_id, kind, sealed)
    values (${id}, ${accountId}, ${kind}, ${seal(ctx, id, factor)})`)
  return id
}

/** @returns false if it's already verified, or deleted */
export async function markVerified(ctx: Ctx, accountId: string, { id, ...kept }: Factor) {
  const marked = await ctx.db.query(sql`
    update second_factors set is_verified = true, sealed = ${seal(ctx, id, kept)}
     where id = ${id} and account_id = ${accountId} and not is_verified returning id`)
  await broadcastActorChange(ctx, accountId)
  return marked.length > 0
}

export async function recoveryCodesLeft({ db }: Pick<Ctx, 'db'>, accountId: string) {
  const [row] = await db.query<{ left: number }>(sql`
    select count(*) as left from recovery_codes where account_id = ${accountId}`)
  return row?.left ?? 0
}

export async function forgetFactors(ctx: Ctx, accountId: string) {
  const { db } = ctx
  await db.query(sql`delete from recovery_codes where account_id = ${accountId}`)
  const forgotten = await db.query(
    sql`delete from second_factors where account_id = ${accountId} returning id`,
  )
  await broadcastActorChange(ctx, accountId)
  return forgotten
}

/** Removes unfinished factors. People who are setting one up right now must start over. */
export async function sweepFactors(db: ServerContext['db']) {
  await db.query(sql`delete from second_factors where not is_verified`)
}
