// npm run restore -- FILE: fills an empty database from a backup. It uses the site's own settings.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { build, giveUp, install, root } from './prepare.mjs'

// Where the person stands who names the file; npm itself runs in the project's folder.
const from = process.env.INIT_CWD ?? process.cwd()
const words = process.argv
  .slice(2)
  .map((word) => (word.startsWith('-') ? word : resolve(from, word)))
process.argv = [...process.argv.slice(0, 2), 'restore', ...words]
process.chdir(root)
try {
  await install()
  await build()
} catch (error) {
  giveUp(error)
}
if (existsSync('.env')) process.loadEnvFile('.env')

await import(new URL('../dist/server/backup.js', import.meta.url).href)
