// npm run dev

import { readCommand } from './command.mjs'
import { loadSettings, prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

readCommand({
  name: 'dev',
  does: 'Runs the site while you change it. The server restarts when its files change, and pages take in new screens.',
})
console.log('Starting the site. Its address appears here when it’s ready …')
await prepare({ isBuilt: false })
loadSettings()

becomes(
  [
    tool('tsx', 'tsx'),
    'watch',
    '--clear-screen=false',
    // A restart would undo the change that Vite is about to swap in.
    '--exclude',
    './app/**/*.tsx',
    '--exclude',
    './app/**/*.css',
    '--exclude',
    './dist/**',
    '--exclude',
    './data/**',
    'app/main.server.ts',
  ],
  { NODE_ENV: process.env.NODE_ENV ?? 'development' },
)
