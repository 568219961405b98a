// npm run doctor [-- --backup PATH]: says what is wrong around the site, and how to mend it.

import { fromWhereOneStands, loadSettings, prepare } from './prepare.mjs'

process.argv.splice(2, Infinity, ...fromWhereOneStands(process.argv.slice(2)))
await prepare()
loadSettings()

await import(new URL('../dist/server/doctor.js', import.meta.url).href)
