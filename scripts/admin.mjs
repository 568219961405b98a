// npm run admin: what only the person who runs the server may do. Uses the site's own settings.

import { loadSettings, prepare } from './prepare.mjs'

await prepare()
loadSettings()

await import(new URL('../dist/server/admin.js', import.meta.url).href)
