/** What the server holds while nobody is there, with PostgreSQL as its database. */
import { setTimeout } from 'node:timers/promises'
import { type Bench, memoryMbOf } from './measure.ts'
import { startBuiltSite } from './program.ts'

const IDLE_MS = 20_000

export const memory: Bench = {
  name: 'memory',
  async run({ databaseUrl }) {
    const site = await startBuiltSite({
      DATABASE_URL: await databaseUrl(),
      STARTER: 'none',
    })
    try {
      await setTimeout(IDLE_MS)
      const idle = memoryMbOf(site.pid)
      for (const path of ['/', '/companies', '/api/v1/companies/suggest?text=smith'])
        await fetch(`${site.url}${path}`)
      return [
        { name: 'memory, idle with PostgreSQL', measured: idle, unit: 'MB', budget: { most: 150 } },
        { name: 'memory after three requests', measured: memoryMbOf(site.pid), unit: 'MB' },
      ]
    } finally {
      await site.stop()
    }
  },
}
