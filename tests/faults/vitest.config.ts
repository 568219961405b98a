/** For Stryker: it knows no projects, and runs what is named here and no more. */
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
