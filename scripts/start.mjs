// npm start: runs the site, whatever state this folder is in.

import { loadSettings, prepare } from './prepare.mjs'

await prepare()
loadSettings()
process.env.NODE_ENV ??= 'production'

// In this process, so signals and exit codes are the server's own.
await import(new URL('../dist/server/start.js', import.meta.url).href)
