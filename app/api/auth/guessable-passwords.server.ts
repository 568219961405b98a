import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '#app/platform/project-folder.server.ts'

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

/** Neighbours on keyboards and in the alphabet. */
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
const NEIGHBOURS = new Set(
  ROWS.flatMap((row) => [...row].slice(1).flatMap((it, i) => [row[i] + it, it + row[i]])),
)

/**
 * Whether common guesses find it soon. Ignores case.
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
    return it !== before && !NEIGHBOURS.has(before + it)
  })
  return new Set(characters).size < VARIETY_MIN || runs.length < VARIETY_MIN
}

/** `abcabcabc` and `passwordpassword` are as weak as what is repeated. */
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
