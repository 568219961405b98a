// npm start

import { readCommand } from './command.mjs'
import { loadSettings, prepare } from './prepare.mjs'

readCommand({
  name: 'start',
  does: 'Runs the site, whatever state this folder is in. Its settings are in .env or the environment.',
})
await prepare()
loadSettings()
process.env.NODE_ENV ||= 'production'

// Runs in this process, so signals and exit codes are the server's own.
await import(new URL('../dist/server/start.js', import.meta.url).href)
