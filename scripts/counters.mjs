// npm run counters: checks companies' counters against the rows they count. It uses the site's settings.

import { loadSettings, prepare } from './prepare.mjs'

await prepare()
loadSettings()

await import(new URL('../dist/server/counters.js', import.meta.url).href)
