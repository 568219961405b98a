// npm run doctor [-- --backup PATH]: says what's wrong with the site's surroundings, and how to fix it.

import { fromWhereOneStands, loadSettings, prepare } from './prepare.mjs'

process.argv.splice(2, Infinity, ...fromWhereOneStands(process.argv.slice(2)))
await prepare()
loadSettings()

await import(new URL('../dist/server/doctor.js', import.meta.url).href)
