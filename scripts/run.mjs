// Runs one long-lived child in our place: same terminal, same signals, same end.

import { spawn } from 'node:child_process'
import { root } from './prepare.mjs'

/** Runs `node ...words` and ends this process the way the child ended. */
export function becomes(words, env = {}) {
  const child = spawn(process.execPath, words, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child itself; a second one would cut its goodbye short.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
}
