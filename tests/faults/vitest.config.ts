/** For Stryker, which doesn't support projects and runs only what's listed here. */
import { defineConfig } from 'vitest/config'
import { mutated } from './mutated.ts'

process.env.TZ = 'UTC'

export default defineConfig({
  test: {
    include: Object.values(mutated).flat(),
    setupFiles: ['tests/setup/worker.ts', 'app/platform/http/url-can-parse.server.ts'],
    testTimeout: 30_000,
    silent: 'passed-only',
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
})
