// npm run counters: checks the numbers of companies against their rows. It uses the site's settings.

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

await import(new URL('../dist/server/counters.js', import.meta.url).href)
