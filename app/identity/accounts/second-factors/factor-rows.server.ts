/** Second factors as they are kept: name and secret sealed for their row. D38. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { publishActorChange } from '#app/api/auth/remembered-actors.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { PREPARED } from '#app/platform/database/database.server.ts'
import { placeIn, type SealedColumn } from '#app/platform/database/sealed-columns.server.ts'

/** An authenticator app, and a passkey. */
export const FACTOR_KINDS = ['totp', 'webauthn'] as const
export type FactorKind = (typeof FACTOR_KINDS)[number]

export const SEALED_FACTORS: SealedColumn = {
  table: 'second_factors',
  column: 'sealed',
  key: 'id',
  type: 'uuid',
}

/** All that is needed to know a passkey again; no counter, which would move with each use. */
export interface PasskeyKey {
  id: string
  publicKey: string
  transports: string[]
}

interface Kept {
  /** As its person calls it; empty where they do not. */
  name: string
  /** Of an app, in base 32. */
  secret?: string
  /** Absent until its registration was verified. */
  passkey?: PasskeyKey
}

/** Stays on the server: `factorView` is what leaves. */
export interface Factor extends Kept {
  id: string
  kind: FactorKind
  isVerified: boolean
}

type Ctx = Pick<ServerContext, 'db' | 'secrets'>

const seal = ({ secrets }: Ctx, id: string, { name, secret, passkey }: Kept) =>
  secrets.seal(JSON.stringify({ name, secret, passkey }), placeIn(SEALED_FACTORS, id))

/** In the order of their names: nothing says which came first. */
export async function factorsOf(ctx: Ctx, accountId: string): Promise<Factor[]> {
  const rows = await ctx.db.query<Pick<Factor, 'id' | 'kind' | 'isVerified'> & { sealed: string }>(
    sql`select id, kind, is_verified as "isVerified", sealed from second_factors
         where account_id = ${accountId}`,
    PREPARED,
  )
  return rows
    .map(({ sealed, ...row }) => {
      const kept: Kept = JSON.parse(ctx.secrets.open(sealed, placeIn(SEALED_FACTORS, row.id)))
      return { ...kept, ...row }
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1))
}

/** In the place of one that was never verified. The account is locked by who asks. */
export async function insertFactor(ctx: Ctx, accountId: string, kind: FactorKind, kept: Kept) {
  const id = randomUUID()
  await ctx.db.query(
    sql`delete from second_factors where account_id = ${accountId} and not is_verified`,
  )
  await ctx.db.query(sql`
    insert into second_factors (id, account_id, kind, sealed)
    values (${id}, ${accountId}, ${kind}, ${seal(ctx, id, kept)})`)
  return id
}

/** @returns false where it is verified already, or gone */
export async function markVerified(ctx: Ctx, accountId: string, { id, ...kept }: Factor) {
  const marked = await ctx.db.query(sql`
    update second_factors set is_verified = true, sealed = ${seal(ctx, id, kept)}
     where id = ${id} and account_id = ${accountId} and not is_verified returning id`)
  await publishActorChange(ctx, accountId)
  return marked.length > 0
}

/** Recovery codes that were not used yet. */
export async function recoveryCodesLeft({ db }: Pick<Ctx, 'db'>, accountId: string) {
  const [row] = await db.query<{ left: number }>(sql`
    select count(*) as left from recovery_codes where account_id = ${accountId}`)
  return row?.left ?? 0
}

/** Takes all away, and what stands in for them. */
export async function forgetFactors(ctx: Ctx, accountId: string) {
  const { db } = ctx
  await db.query(sql`delete from recovery_codes where account_id = ${accountId}`)
  const forgotten = await db.query(
    sql`delete from second_factors where account_id = ${accountId} returning id`,
  )
  await publishActorChange(ctx, accountId)
  return forgotten
}

/** Those that nobody finished. Who is at it just now begins again. */
export async function sweepFactors(db: ServerContext['db']) {
  await db.query(sql`delete from second_factors where not is_verified`)
}
