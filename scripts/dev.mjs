// npm run dev: the server restarts when its files change; screens are Vite's, which swaps them in
// the running page. The server prints the addresses and the demo logins itself.

import { loadSettings, prepare, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

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
    ...process.argv.slice(2),
  ],
  { NODE_ENV: process.env.NODE_ENV ?? 'development' },
)
