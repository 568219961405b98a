// npm run admin: what only whoever runs the server may do. It uses the site's own settings.

import { existsSync } from 'node:fs'
import { build, giveUp, install, root } from './prepare.mjs'

process.chdir(root)
try {
  await install()
  await build()
} catch (error) {
  giveUp(error)
}
if (existsSync('.env')) process.loadEnvFile('.env')

await import(new URL('../dist/server/admin.js', import.meta.url).href)
