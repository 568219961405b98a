// npm run dev: the server restarts when its files change; screens are Vite's, which swaps them in
// the running page. The server prints the addresses and the demo logins itself.

import { existsSync } from 'node:fs'
import { giveUp, install, root, tool } from './prepare.mjs'
import { becomes } from './run.mjs'

process.chdir(root)
try {
  await install()
} catch (error) {
  giveUp(error)
}
if (existsSync('.env')) process.loadEnvFile('.env')

becomes(
  [
    tool('tsx', 'tsx'),
    'watch',
    '--clear-screen=false',
    // A restart would throw away what Vite is about to swap in.
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
