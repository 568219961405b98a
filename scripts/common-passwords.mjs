// Makes app/auth/common-passwords.bin, the compact list of passwords that everybody tries first: of
// each the first 32 bits of its SHA-256, sorted. One in 100,000 good passwords is refused with them.
// Run it by hand when the list's package was updated.

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dictionary } from '@zxcvbn-ts/language-common'
import { root } from './prepare.mjs'

const SHORTEST = 6
const passwords = Object.values(dictionary['passwords-common'])
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
writeFileSync(`${root}app/auth/common-passwords.bin`, bytes)
console.log(`${sorted.length} passwords, ${bytes.length} bytes`)
