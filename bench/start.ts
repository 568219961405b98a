/** From the command to the first answer, with the embedded database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, median } from './measure.ts'
import { startBuiltSite } from './program.ts'

const AGAIN = 3

export const start: Bench = {
  name: 'start',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'kettle-bench-'))
    const startOnce = async () => {
      const site = await startBuiltSite({ DATA_DIR: folder, STARTER: 'demo' })
      await site.stop()
      return site.startedInMs / 1000
    }
    try {
      const first = await startOnce()
      const later: number[] = []
      for (let time = 0; time < AGAIN; time++) later.push(await startOnce())
      return [
        { name: 'embedded start, first', measured: first, unit: 's' },
        {
          name: 'embedded start, with data',
          measured: median(later),
          unit: 's',
          budget: { most: 8 },
        },
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
