// npm run backup [-- --keep N] [TARGET]: copies everything in the database into one file. Uses the site's own settings.

import { fromWhereOneStands, loadSettings, prepare } from './prepare.mjs'

process.argv.splice(2, Infinity, 'backup', ...fromWhereOneStands(process.argv.slice(2)))
await prepare()
loadSettings()

await import(new URL('../dist/server/backup.js', import.meta.url).href)
