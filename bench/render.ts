/** What rendering a page costs the processor, its answers at hand: no socket, no database. */
import { createClient } from '../app/api/client.ts'
import type { AppClient } from '../app/site/pages/app-client.ts'
import { type Bench, type Figure, median } from './measure.ts'
import { startBuiltSite } from './program.ts'

const ROUNDS = 5
const RENDERED = 300
const RENDERED_TO_WARM_UP = 1_500
const BUDGET_MS = 2

const PAGES = [
  ['home', '/'],
  ['companies', '/companies'],
  ['company', '/nestle'],
] as const

const ASSETS = { entry: '', styles: [], preloads: () => [], firstScript: '' }

type Rendering = typeof import('../app/site/pages/render.server.tsx')
const BUILT = new URL('../dist/server/render.js', import.meta.url).href

export const render: Bench = {
  name: 'render',
  async run() {
    const site = await startBuiltSite({ STARTER: 'companies' })
    // As it was built: only the build finds the screens.
    const { loadScreens, renderPage } = (await import(BUILT)) as Rendering
    await loadScreens()
    const answers = new Map<string, string>()
    const api = createClient(async ({ url }) => {
      const known = answers.get(url) ?? (await (await fetch(site.url + url)).text())
      answers.set(url, known)
      return { status: 200, json: JSON.parse(known) }
    }) as AppClient
    try {
      const settings = await api('GET /api/v1/config')
      const figures: Figure[] = []
      for (const [name, path] of PAGES) {
        const times: number[] = []
        await repeat(RENDERED_TO_WARM_UP, () => renderPage(path, settings, api, ASSETS))
        for (let round = 0; round < ROUNDS; round++) {
          const before = process.cpuUsage()
          await repeat(RENDERED, () => renderPage(path, settings, api, ASSETS))
          const { user, system } = process.cpuUsage(before)
          times.push((user + system) / 1000 / RENDERED)
        }
        figures.push({
          name: `rendering ${name}`,
          measured: median(times),
          unit: 'CPU-ms',
          budget: { most: BUDGET_MS },
        })
      }
      return figures
    } finally {
      await site.stop()
    }
  },
}

async function repeat(times: number, work: () => Promise<unknown>) {
  for (let i = 0; i < times; i++) await work()
}
