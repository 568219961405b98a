import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, hashRaw, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { Refusal } from '#app/platform/http/refusal.ts'

/** Argon2id with 19 MiB and two passes: OWASP's first choice. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Hashes that may wait. Beyond that, people are asked to come back. */
const WAITING_MAX = 100

/** Each takes a core and 19 MiB. */
const oneOfFew = pLimit(Math.max(1, Math.min(4, availableParallelism())))

const inTurn = <Result>(work: () => Promise<Result>) => {
  if (oneOfFew.pendingCount >= WAITING_MAX)
    throw new Refusal(
      'too-many',
      'Too many people are logging in right now. Please try again in a moment.',
    )
  return oneOfFew(work)
}

/** Normalised, as keyboards differ in how they compose an é. */
export const hashPassword = (password: string) =>
  inTurn(() => hash(password.normalize('NFC'), COST))

/** Also the forms in which older hashes were made. */
const spellingsOf = (password: string) =>
  new Set([password.normalize('NFC'), password, password.normalize('NFD')])

/** As expensive to guess as a password, but deterministic for a salt. */
export const slowHash = (text: string, salt: Buffer) =>
  inTurn(() => hashRaw(text, { ...COST, salt }))

/** Takes as long without a hash, and returns false, so the time doesn't reveal whether an account exists. */
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
/** Made ahead of time, so the first unknown address takes no longer. */
export const preloadDummyHash = () => dummyHash()
