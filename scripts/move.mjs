// npm run move -- --to DATABASE_URL: copies the embedded database into an empty PostgreSQL.

import { existsSync } from 'node:fs'
import { build, giveUp, install, root } from './prepare.mjs'

process.argv.splice(2, 0, 'move')
process.chdir(root)
try {
  await install()
  await build()
} catch (error) {
  giveUp(error)
}
if (existsSync('.env')) process.loadEnvFile('.env')

await import(new URL('../dist/server/backup.js', import.meta.url).href)
