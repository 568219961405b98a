/**
 * A person's root: 16 bytes from which all their keys are derived, and which no table shows. An
 * account's root is random, sealed in its row, and deleted with it. D40.
 */
import { randomBytes } from 'node:crypto'
import { placeIn, type SealedColumn } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { Actor, SignedIn } from './actor.ts'

const ROOT_BYTES = 16

export const ACCOUNT_ROOT: SealedColumn = {
  table: 'accounts',
  column: 'root_sealed',
  key: 'id',
  type: 'uuid',
}

export interface Owner {
  root: Buffer
}

/** A new account's sealed root. */
export const newRoot = (secrets: Secrets, accountId: string) =>
  secrets.seal(randomBytes(ROOT_BYTES).toString('base64url'), placeIn(ACCOUNT_ROOT, accountId))

export const openRoot = (secrets: Secrets, accountId: string, sealed: string) =>
  Buffer.from(secrets.open(sealed, placeIn(ACCOUNT_ROOT, accountId)), 'base64url')

/** For visitors: derived from their author key. */
export const rootWithoutAccount = (secrets: Secrets, authorKey: string) =>
  Buffer.from(secrets.hash('root', authorKey), 'base64url').subarray(0, ROOT_BYTES)

/** Cached actors only need it once. */
const opened = new WeakMap<SignedIn, Buffer>()

function rootOfAccount(secrets: Secrets, account: SignedIn) {
  const root = opened.get(account) ?? openRoot(secrets, account.id, account.rootSealed)
  opened.set(account, root)
  return root
}

export function ownerOf({ actor, secrets }: { actor: Actor; secrets: Secrets }): Owner | null {
  const { account, authorKey } = actor
  if (authorKey === null) return null
  const root = account ? rootOfAccount(secrets, account) : rootWithoutAccount(secrets, authorKey)
  return { root }
}

export const rootOf = (asking: { actor: Actor; secrets: Secrets }) => ownerOf(asking)?.root ?? null
