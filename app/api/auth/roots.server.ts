/**
 * The root of a person: 16 bytes from which every key of theirs is made, and which no table shows. That
 * of an account is random, lies sealed in its row and dies with it. D40.
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

/** A person, as far as the server can reach them. It never leaves the server. */
export interface Owner {
  root: Buffer
}

/** Of a new account, as its row keeps it. */
export const newRoot = (secrets: Secrets, accountId: string) =>
  secrets.seal(randomBytes(ROOT_BYTES).toString('base64url'), placeIn(ACCOUNT_ROOT, accountId))

export const openRoot = (secrets: Secrets, accountId: string, sealed: string) =>
  Buffer.from(secrets.open(sealed, placeIn(ACCOUNT_ROOT, accountId)), 'base64url')

/** Of visitors: made of their author key. */
export const rootWithoutAccount = (secrets: Secrets, authorKey: string) =>
  Buffer.from(secrets.hash('root', authorKey), 'base64url').subarray(0, ROOT_BYTES)

/** Of whoever is remembered for some seconds: opened once. */
const opened = new WeakMap<SignedIn, Buffer>()

function rootOfAccount(secrets: Secrets, account: SignedIn) {
  const root = opened.get(account) ?? openRoot(secrets, account.id, account.rootSealed)
  opened.set(account, root)
  return root
}

/** Null for a visitor whose browser sent no anonymous id. */
export function ownerOf({ actor, secrets }: { actor: Actor; secrets: Secrets }): Owner | null {
  const { account, authorKey } = actor
  if (authorKey === null) return null
  const root = account ? rootOfAccount(secrets, account) : rootWithoutAccount(secrets, authorKey)
  return { root }
}

/** The root alone. */
export const rootOf = (asking: { actor: Actor; secrets: Secrets }) => ownerOf(asking)?.root ?? null
