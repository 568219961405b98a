import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { developmentPages } from './development.server.ts'

const site = {
  siteName: 'Samovar & Co',
  siteUrl: 'https://samovar.example',
  contactDomain: 'samovar.example',
  ratingBatch: 5,
  legalNoticeHours: 24,
  hasLogoSearch: true,
  flags: readConfig({}).flags,
  build: { buildTime: '2026-01-01T00:00:00Z', timestamp: 0 },
}
const answers: Record<string, unknown> = {
  'GET /api/v1/companies': { companies: [], total: 0, next: null },
  'GET /api/v1/categories': { categories: [] },
}

test('the server also renders a screen that loads data during development', async () => {
  const pages = await developmentPages(process.cwd())
  try {
    const api = async (endpoint: string) => answers[endpoint]
    const page = await pages.renderPage('/companies', site, api as never, pages.assets, '')
    expect(page.status).toBe(200)
    expect('html' in page && page.html).toContain('<h1')
    expect('html' in page && page.html).not.toContain('Switched to client rendering')
  } finally {
    await pages.close()
  }
})

test('a screen that’s broken while the site starts delays it until it’s fixed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kettle-development-'))
  const screen = join(folder, 'app/site/pages/render.server.tsx')
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  const complained = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    await mkdir(join(folder, 'app/site/pages'), { recursive: true })
    await mkdir(join(folder, 'app/kit/ui'), { recursive: true })
    await writeFile(join(folder, 'app/kit/ui/first-script.js'), '')
    await writeFile(screen, 'export const const = {')
    const starting = developmentPages(folder)
    await expect
      .poll(() => printed.mock.calls.flat())
      .toContain('The site starts once that’s mended.')
    expect(complained.mock.calls.flat().join()).toContain('render.server.tsx')
    let isStarted = false
    starting.then(() => {
      isStarted = true
    })
    // Vite may not watch yet when it's saved for the first time. It mustn't read it half written.
    const save = async () => {
      await writeFile(`${screen}.new`, "export const pageKey = () => 'mended'")
      await rename(`${screen}.new`, screen)
      return isStarted
    }
    await expect.poll(save).toBe(true)
    const pages = await starting
    expect(pages.pageKey('/', {} as never)).toBe('mended')
    await pages.close()
  } finally {
    vi.restoreAllMocks()
    await rm(folder, { recursive: true })
  }
})
