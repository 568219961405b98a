// npm run move -- --to DATABASE_URL: copies the embedded database into an empty PostgreSQL.

import { loadSettings, prepare } from './prepare.mjs'

process.argv.splice(2, 0, 'move')
await prepare()
loadSettings()

await import(new URL('../dist/server/backup.js', import.meta.url).href)
