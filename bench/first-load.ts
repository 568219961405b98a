/** What a first visit to the home page loads, in a real browser. */

import { gzipSync } from 'node:zlib'
import { complaintsOn, launchChromium } from '../tests/support/chromium.ts'
import type { Bench } from './measure.ts'
import { startBuiltSite } from './program.ts'

/** Long enough for what the page fetches once it has come alive. */
const SETTLE_MS = 2_000

export const firstLoad: Bench = {
  name: 'first-load',
  async run({ databaseUrl }) {
    const site = await startBuiltSite({
      DATABASE_URL: await databaseUrl(),
      STARTER: 'none',
    })
    const browser = await launchChromium()
    try {
      const html = await (await fetch(`${site.url}/`)).text()
      const page = await browser.newPage()
      const complaints = complaintsOn(page)
      const scripts = new Map<string, number>()
      page.on('response', async (response) => {
        if (!/javascript/.test(response.headers()['content-type'] ?? '')) return
        scripts.set(response.url(), gzipSync(await response.body()).length)
      })
      await page.goto(`${site.url}/`, { waitUntil: 'load' })
      await page.waitForTimeout(SETTLE_MS)
      const bytes = [...scripts.values()].reduce((sum, size) => sum + size, 0)

      const withoutScripts = await browser.newPage({ javaScriptEnabled: false })
      await withoutScripts.goto(`${site.url}/`)
      const companies = await withoutScripts.locator('main a[href]').count()

      const exactly = (number: number) => ({ least: number, most: number })
      return [
        {
          name: 'home: JavaScript, gzip',
          measured: bytes / 1000,
          unit: 'kB',
          budget: { most: 100 },
        },
        { name: 'home: script files', measured: scripts.size, unit: '' },
        { name: 'home: HTML, gzip', measured: gzipSync(html).length / 1000, unit: 'kB' },
        {
          name: 'home: inline scripts that run',
          measured: inlineScripts(html),
          unit: '',
          budget: exactly(0),
        },
        {
          name: 'home: style attributes',
          measured: (html.match(/<[^>]+\sstyle\s*=/gi) ?? []).length,
          unit: '',
          budget: exactly(0),
        },
        {
          name: 'home: links in its main part without scripts',
          measured: companies,
          unit: '',
          budget: { least: 1 },
        },
        {
          name: 'home: complaints of the browser',
          measured: complaints.length,
          unit: '',
          budget: exactly(0),
        },
      ]
    } finally {
      await browser.close()
      await site.stop()
    }
  },
}

/** Scripts without a `src` that are not data, and handlers in attributes. */
function inlineScripts(html: string) {
  const scripts = [...html.matchAll(/<script\b([^>]*)>/gi)].map((match) => match[1] ?? '')
  const running = scripts.filter(
    (attributes) =>
      !/\ssrc\s*=/.test(attributes) &&
      !/\stype\s*=\s*["']?application\/(ld\+)?json/.test(attributes),
  )
  return running.length + (html.match(/<[^>]+\son[a-z]+\s*=/gi) ?? []).length
}
