// npm run restore -- FILE: fills an empty database from a backup, or tries that with --drill. Uses the site's own settings.

import { fromWhereOneStands, loadSettings, prepare } from './prepare.mjs'

process.argv.splice(2, Infinity, 'restore', ...fromWhereOneStands(process.argv.slice(2)))
await prepare()
loadSettings()

await import(new URL('../dist/server/backup.js', import.meta.url).href)
