import { expect, test } from 'vitest'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { developmentPages } from './development.server.ts'

const site = {
  siteName: 'Samovar & Co',
  siteUrl: 'https://samovar.example',
  contactDomain: 'samovar.example',
  ratingBatch: 5,
  legalNoticeHours: 24,
  flags: readConfig({}).flags,
  build: { buildTime: '2026-01-01T00:00:00Z', timestamp: 0 },
}
const answers: Record<string, unknown> = {
  'GET /api/v1/companies': { companies: [], total: 0, next: null },
  'GET /api/v1/categories': { categories: [] },
}

test('while developing, too, the server renders a screen that asks for data', async () => {
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
