// npm run doctor [-- --backup PATH]: says what is wrong around the site, and how to mend it.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { build, giveUp, install, root } from './prepare.mjs'

// Where the person stands who names a path; npm itself runs in the project's folder.
const from = process.env.INIT_CWD ?? process.cwd()
process.argv = process.argv.map((word, i) =>
  i < 2 || word.startsWith('-') ? word : resolve(from, word),
)
process.chdir(root)
try {
  await install()
  await build()
} catch (error) {
  giveUp(error)
}
if (existsSync('.env')) process.loadEnvFile('.env')

await import(new URL('../dist/server/doctor.js', import.meta.url).href)
