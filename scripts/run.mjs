// Runs a child process in our place, or waits for it. The child gets our signals, and never outlives us.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from './prepare.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

async function start(words, env, stdin) {
  const child = spawn(process.execPath, words, {
    cwd: root,
    stdio: [stdin, 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
  let isEnded = false
  const passOn = (signal) => {
    isEnded = true
    // A terminal sends Ctrl-C to the child as well. A second signal would cut its shutdown short.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, passOn)
  const [code, signal] = await once(child, 'exit')
  for (const signal of SIGNALS) process.off(signal, passOn)
  return { isEnded, status: code ?? (signal === 'SIGINT' ? 130 : 143) }
}

/** Runs `node ...words` and ends this process the way the child ended. */
export async function becomes(words, env = {}) {
  const { status } = await start(words, env, 'inherit')
  process.exit(status)
}

/** Runs `node ...words` and returns whether it succeeded. A signal ends the child, and then this process. */
export async function run(words, env = {}) {
  const { isEnded, status } = await start(words, env, 'ignore')
  if (isEnded) process.exit(status || 130)
  return status === 0
}
