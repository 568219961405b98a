/**
 * The issuer's keys: a random pair per quarter in a chain that all processes share. The private key is sealed, and
 * deleted once the quarter's last credential has expired. From then on, no one can forge credentials for that quarter,
 * even with the database and SECRET_KEY. D68.
 */
import sql from 'sql-template-tag'
import {
  concatBytes,
  type RandomScalar,
  randomScalar,
  SCALAR_SEED_BYTES,
  scalarOf,
  serializeScalar,
} from '#app/api/credential/group.ts'
import {
  createIssuer,
  type IssuerKeyStore,
  type StoredKey,
} from '#app/api/credential/issuer.server.ts'
import { serializeServerPublicKey, setupServer } from '#app/api/credential/issuing.ts'
import type { IssuerKeys } from '#app/api/credential/pool.server.ts'
import { KETTLE } from '#app/api/credential/profile.ts'
import { quartersAround } from '#app/api/credential/quarter.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { type SealedColumn, sealContext } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'

export const ISSUER_KEY: SealedColumn = {
  table: 'issuer_keys',
  column: 'sealed',
  key: 'quarter',
  type: 'text',
}

type KeyContext = Pick<ServerContext, 'db' | 'secrets' | 'now'>

export const createSiteIssuer = (ctx: KeyContext, witnesses: readonly string[] = []) =>
  createIssuer(storedIssuerKeys(ctx), () => todayOf(ctx), witnesses)

/** Creates the missing keys. If two processes do so at once, both take the same ones. */
const storedIssuerKeys =
  ({ db, secrets, now }: KeyContext): IssuerKeyStore =>
  async (quarters) => {
    for (;;) {
      const keys = await readIssuerKeys({ db, secrets })
      const missing = quarters.find((quarter) => !keys.some((key) => key.quarter === quarter))
      if (!missing) return keys
      const made =
        keys.length === 0 && (await hasFormerCredentials(db))
          ? quartersAround(todayOf({ now })).map((quarter) => ({
              quarter,
              ...derivedIssuerKeys(secrets, quarter),
            }))
          : [{ quarter: missing, ...issuerKeysFrom(randomScalar) }]
      await append(db, secrets, keys.length, made)
    }
  }

export async function readIssuerKeys({
  db,
  secrets,
}: Pick<KeyContext, 'db' | 'secrets'>): Promise<StoredKey[]> {
  const rows = await db.query<{ quarter: string; publicKey: Buffer; sealed: string | null }>(sql`
    select quarter, public_key as "publicKey", sealed from issuer_keys order by number`)
  return rows.map(({ quarter, publicKey, sealed }) => ({
    quarter,
    publicKey,
    privateKey: sealed
      ? Buffer.from(secrets.open(sealed, sealContext(ISSUER_KEY, quarter)), 'base64url')
      : undefined,
  }))
}

/** All or none, so only one process at a time extends the chain. */
async function append(
  db: Database,
  secrets: Secrets,
  length: number,
  made: (IssuerKeys & { quarter: string })[],
) {
  const sealed = made.map(({ quarter, privateKey }) =>
    secrets.seal(Buffer.from(privateKey).toString('base64url'), sealContext(ISSUER_KEY, quarter)),
  )
  await db.query(sql`
    insert into issuer_keys (number, quarter, public_key, sealed)
    select * from unnest(
      ${made.map((_, at) => length + at + 1)}::integer[],
      ${made.map(({ quarter }) => quarter)}::text[],
      ${made.map(({ publicKey }) => Buffer.from(publicKey))}::bytea[],
      ${sealed}::text[])
    on conflict do nothing`)
}

/**
 * Deletes the private keys of quarters whose credentials have ended, and their traces in the table's file. Skips the
 * first night after a month without one, because the clock may be wrong, and a deleted key never comes back.
 */
export async function destroyEndedKeys(ctx: Pick<ServerContext, 'db' | 'now'>) {
  const today = todayOf(ctx)
  const [stillValid] = quartersAround(today)
  const destroyed = await ctx.db.query(sql`
    update issuer_keys set sealed = null
     where sealed is not null and quarter < ${stillValid}
       and exists (select from nightly_run where done_until >= ${today}::date - 31)
    returning number`)
  if (destroyed.length > 0) await reorderTable(ctx.db, 'issuer_keys')
}

function issuerKeysFrom(random: RandomScalar): IssuerKeys {
  const { privateKey, publicKey } = setupServer(KETTLE, random)
  const { x0, x1, x2, x0Blinding } = privateKey
  return {
    privateKey: concatBytes(...[x0, x1, x2, x0Blinding].map(serializeScalar)),
    publicKey: serializeServerPublicKey(publicKey),
  }
}

/** Kettle 0.1 had no chain. Its credentials stay valid until they end. */
async function hasFormerCredentials(db: Database) {
  const [found] = await db.query<{ is: boolean }>(sql`
    select exists (select from credential_commitments) or exists (select from badge_holders) as is`)
  return found?.is === true
}

/** The keys that version 0.1 derived from the site's secret. */
export function derivedIssuerKeys(secrets: Pick<Secrets, 'hash'>, quarter: string): IssuerKeys {
  let drawn = 0
  const bytes = () => Buffer.from(secrets.hash('issuer key', quarter, String(drawn++)), 'base64url')
  return issuerKeysFrom(() =>
    scalarOf(concatBytes(bytes(), bytes()).subarray(0, SCALAR_SEED_BYTES)),
  )
}
