#!/usr/bin/env node
// The site and its commands in a container, where they are built already: kettle COMMAND [WORDS…].
// The files of /run/secrets with names in capitals become settings: no password stands in the
// environment of the container, where `docker inspect` shows it.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SECRETS = '/run/secrets'
/** Command → the program, and the words that it hears before those that are given. */
const COMMANDS = {
  serve: ['start'],
  admin: ['admin'],
  import: ['import'],
  counters: ['counters'],
  backup: ['backup', 'backup'],
  restore: ['backup', 'restore'],
  doctor: ['doctor'],
}

const [command = 'serve', ...words] = process.argv.slice(2)
if (command === 'health') await tellHealth()
if (!Object.hasOwn(COMMANDS, command)) {
  console.error(`kettle ${Object.keys(COMMANDS).join(' | ')} | health`)
  process.exit(1)
}

if (existsSync(SECRETS))
  // An empty variable is one that nobody set.
  for (const name of readdirSync(SECRETS).filter((name) => /^[A-Z\d_]+$/.test(name)))
    process.env[name] ||= readFileSync(join(SECRETS, name), 'utf8').trim()

const [program, ...first] = COMMANDS[command]
const url = new URL(`../dist/server/${program}.js`, import.meta.url)
process.argv = [process.argv[0], fileURLToPath(url), ...first, ...words]
await import(url.href)

/** For the health check: 0 while the site can do its work. */
async function tellHealth() {
  const answer = await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).catch(() => {})
  process.exit(answer?.ok ? 0 : 1)
}
