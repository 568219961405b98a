/** The built site and a browser to visit it, for one file of journeys. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchChromium } from './chromium.ts'
import { type Site, startSite } from './server.ts'
import { openWorld, type World } from './world.ts'

/**
 * They are there once the file's first test begins, and gone after its last. The site is the demo
 * world's, on a copy that nobody else has.
 * @param env more settings of the site, asked for when it starts
 */
export function withSiteInBrowser(env: () => Promise<Record<string, string>> = async () => ({})) {
  const running: Partial<RunningSite> = {}
  beforeAll(async () => {
    const [settings, world] = await Promise.all([env(), openWorld()])
    running.world = world
    const starting = [
      startSite({ env: { ...world.env, ...settings } }).then((site) => {
        running.site = site
      }),
      launchChromium().then((browser) => {
        running.browser = browser
        answerAboutCookies(browser, () => running.site?.url ?? '')
      }),
    ]
    await Promise.all(starting)
  })
  afterAll(async () => {
    await running.browser?.close()
    await running.site?.stop()
    await running.world?.db.close()
  })
  return running as RunningSite
}

interface RunningSite {
  site: Site
  browser: Browser
  /** The site's. */
  world: World
}

/**
 * Whoever comes has answered about cookies before, so that no banner lies over what they came for. A
 * journey about that gives its contexts a `storageState` of undefined.
 */
function answerAboutCookies(browser: Browser, origin: () => string) {
  const openContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const localStorage = [{ name: 'cookieConsent', value: 'rejected' }]
    const storageState = { cookies: [], origins: [{ origin: origin(), localStorage }] }
    const context = await openContext({ storageState, ...options })
    // A press ends only where nothing comes: a busy machine takes minutes for what takes seconds.
    context.setDefaultTimeout(120_000)
    return context
  }
}
