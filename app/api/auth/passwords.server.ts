/** Passwords: hashed slowly on purpose, a bounded number at a time. */
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, hashRaw, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { Refusal } from '#app/platform/http/refusal.ts'

/** Argon2id with 19 MiB and two passes: OWASP's first choice. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Hashes that may wait; behind them people are asked to come back. */
const WAITING_MAX = 100

/** Each at once takes a core and 19 MiB. */
const oneOfFew = pLimit(Math.max(1, Math.min(4, availableParallelism())))

const inTurn = <Result>(work: () => Promise<Result>) => {
  if (oneOfFew.pendingCount >= WAITING_MAX)
    throw new Refusal('too-many', 'Too many people are signing in at this moment')
  return oneOfFew(work)
}

/** An é is one letter from one keyboard, and from another one an e and its accent: both are hashed as one letter. */
export const hashPassword = (password: string) =>
  inTurn(() => hash(password.normalize('NFC'), COST))

/** As it is hashed; and for what was hashed as it came, as it comes and taken apart. */
const spellingsOf = (password: string) =>
  new Set([password.normalize('NFC'), password, password.normalize('NFD')])

/** As dear to guess as a password; the same each time for one salt, so that it can be found again. */
export const slowHash = (text: string, salt: Buffer) =>
  inTurn(() => hashRaw(text, { ...COST, salt }))

/**
 * Whether `password` belongs to `passwordHash`. Without a hash it takes as long and answers false:
 * the time tells nobody whether an address has an account.
 */
export async function isPasswordOf(passwordHash: string | null | undefined, password: string) {
  let matches = false
  for (const spelling of spellingsOf(password))
    matches ||= await inTurn(async () => verify(passwordHash ?? (await dummyHash()), spelling))
  return matches && Boolean(passwordHash)
}

let dummy: Promise<string> | undefined
function dummyHash() {
  dummy ??= hash(randomBytes(16), COST)
  return dummy
}
/** Makes the dummy ahead of time, so that the first unknown address takes no longer. */
export const preloadDummyHash = () => dummyHash()
