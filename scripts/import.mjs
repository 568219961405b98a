// npm run import -- [--jobs] FILE: adds a file's companies, or its jobs. It uses the site's settings.

import { fromWhereOneStands, loadSettings, prepare } from './prepare.mjs'

process.argv.splice(2, Infinity, ...fromWhereOneStands(process.argv.slice(2)))
await prepare()
loadSettings()

await import(new URL('../dist/server/import.js', import.meta.url).href)
