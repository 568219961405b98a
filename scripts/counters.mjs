// npm run counters: checks the numbers of companies against their rows. It uses the site's settings.

import { loadSettings, prepare } from './prepare.mjs'

await prepare()
loadSettings()

await import(new URL('../dist/server/counters.js', import.meta.url).href)
