/** `npm start`: one process, or as many as WORKERS says. */
import { fileURLToPath } from 'node:url'
import { ConfigError, readConfig } from '#app/platform/operations/config.server.ts'

async function start() {
  const { workers, logLevel } = readConfig(process.env)
  // Runs in this process, so signals and exit codes are the site's own.
  if (workers === 1) return import('./main.server.ts')
  const { runWorkers } = await import('#app/platform/operations/workers.server.ts')
  runWorkers({
    count: workers,
    program: fileURLToPath(new URL('server.js', import.meta.url)),
    warn(msg) {
      if (['warn', 'info', 'debug'].includes(logLevel))
        console.log(JSON.stringify({ level: 40, time: Date.now(), msg }))
    },
  })
}

start().catch((error) => {
  console.error(error instanceof ConfigError ? error.message : (error?.stack ?? error))
  process.exit(1)
})
