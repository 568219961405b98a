/** The built site and a browser to visit it, for one file of journeys. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchChromium } from './chromium.ts'
import { type Site, startSite } from './server.ts'

/**
 * Both are there once the file's first test begins, and gone after its last.
 * @param env settings of the site, asked for when it starts
 */
export function withSiteInBrowser(env: () => Promise<Record<string, string>> = async () => ({})) {
  const running: { site?: Site; browser?: Browser } = {}
  beforeAll(async () => {
    const settings = await env()
    const starting = [
      startSite({ env: settings }).then((site) => {
        running.site = site
      }),
      launchChromium().then((browser) => {
        running.browser = browser
      }),
    ]
    await Promise.all(starting)
  })
  afterAll(async () => {
    await running.browser?.close()
    await running.site?.stop()
  })
  return running as { site: Site; browser: Browser }
}
