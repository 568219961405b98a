// npm start: the site, from whatever state this folder is in.

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
process.env.NODE_ENV ??= 'production'

// In this process, so that signals and exit codes are the server's own.
await import(new URL('../dist/server/start.js', import.meta.url).href)
