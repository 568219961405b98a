import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { hash, hashRaw, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { projectFolder } from '#app/platform/folders.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'

/** Argon2id with 19 MiB and two passes: OWASP's first choice. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Hashes that may wait. Beyond that, people are asked to come back. */
const WAITING_MAX = 100

/** How many hashes run at once. Each takes a core and 19 MiB. */
const oneOfFew = pLimit(Math.max(1, Math.min(4, availableParallelism())))

const inTurn = <Result>(work: () => Promise<Result>) => {
  if (oneOfFew.pendingCount >= WAITING_MAX)
    throw new Refusal(
      'too-many',
      'Too many people are logging in right now. Please try again in a moment.',
    )
  return oneOfFew(work)
}

/** Normalized, because keyboards compose an é in different ways. */
export const hashPassword = (password: string) =>
  inTurn(() => hash(password.normalize('NFC'), COST))

/** The password's normal form, and the forms that older hashes were made from. */
const spellingsOf = (password: string) =>
  new Set([password.normalize('NFC'), password, password.normalize('NFD')])

/** A hash as expensive to guess as a password's, but deterministic for a salt. */
export const slowHash = (text: string, salt: Buffer) =>
  inTurn(() => hashRaw(text, { ...COST, salt }))

/** Without a hash, takes just as long and returns false, so the time doesn't reveal whether an account exists. */
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
/** We compute it ahead of time, so the first unknown address takes no longer. */
export const preloadDummyHash = () => dummyHash()

/** The least number of characters that must remain after removing everything guessable. */
const ENOUGH = 6
/** The least number of different characters, and of runs such as `1234`. */
const VARIETY_MIN = 4
/** Shorter words occur in too many good passwords. */
const WORD_MIN = 3
/** What people append to satisfy rules: `Password1!`, `Summer2024`, `admin@123`. */
const TAIL = /[^\p{L}\d]?\d{0,4}[^\p{L}\d]{0,2}$/u

const LEET: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Neighbors on keyboards and in the alphabet. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop[]\\',
  "asdfghjkl;'",
  'zxcvbnm,./',
  '!@#$%^&*()_+',
  'qwertzuiopü',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
]
const NEIGHBORS = new Set(
  ROWS.flatMap((row) => [...row].slice(1).flatMap((it, i) => [row[i] + it, it + row[i]])),
)

/**
 * Whether common guesses would find the password soon. Ignores case.
 * @param ofPerson facts about the person: address, username, the site's name
 */
export function isGuessable(password: string, ofPerson: readonly string[] = []): boolean {
  const plain = password.toLowerCase()
  const word = plain.replace(TAIL, '')
  const letters = plain.replace(/\P{L}/gu, '')
  return (
    [plain, unleet(plain), word, unleet(word)].some(
      (it) => isCommonPassword(it) || isRepeated(it),
    ) ||
    (isRepeated(letters) && plain.length - letters.length < ENOUGH) ||
    hasLittleVariety(plain) ||
    isOfPerson(plain, ofPerson)
  )
}

const unleet = (text: string) => [...text].map((it) => LEET[it] ?? it).join('')

/** `aaaaaa`, blanks, `123456789a`, `qwertyuiop`, `asdf1234`. */
function hasLittleVariety(text: string) {
  const characters = [...text]
  const runs = characters.filter((it, i) => {
    const before = characters[i - 1] ?? ''
    return it !== before && !NEIGHBORS.has(before + it)
  })
  return new Set(characters).size < VARIETY_MIN || runs.length < VARIETY_MIN
}

/** `abcabcabc` and `passwordpassword` are as weak as the part they repeat. */
function isRepeated(text: string) {
  for (let period = 1; period <= text.length / 2; period++)
    if (text.endsWith(text.slice(0, -period)))
      return period < ENOUGH || isGuessable(text.slice(0, period))
  return false
}

/** `dana-2024` of dana@acme.example, and `acme!acme`. */
function isOfPerson(text: string, ofPerson: readonly string[]) {
  const words = ofPerson
    .flatMap((it) => [it, ...it.split(/[@.\s_+-]+/)])
    .map((it) => it.toLowerCase())
    .filter((it) => it.length >= WORD_MIN)
    .sort((a, b) => b.length - a.length)
  const left = words.reduce((rest, word) => rest.replaceAll(word, ''), text)
  return left !== text && left.length < ENOUGH
}

const ENTRY_BYTES = 4
let common: Buffer | undefined

function isCommonPassword(password: string): boolean {
  common ??= readFileSync(join(projectFolder, 'app/api/auth/common-passwords.bin'))
  const wanted = createHash('sha256').update(password).digest().readUInt32BE(0)
  let low = 0
  let high = common.length / ENTRY_BYTES - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = common.readUInt32BE(middle * ENTRY_BYTES)
    if (found === wanted) return true
    if (found < wanted) low = middle + 1
    else high = middle - 1
  }
  return false
}
