/** The built site and a browser to visit it, for one file of journeys. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import { launchChromium } from './chromium.ts'
import { openCopy } from './database.ts'
import { freePort } from './postgres-cluster.ts'
import { type Site, startSite } from './server.ts'

/** The demo world, on a copy of its database. */
export interface World {
  db: OpenDatabase
  /** The settings with which a site opens that world. */
  env: Record<string, string>
}

export async function openWorld(): Promise<World> {
  const db = await openCopy(inject('worldTemplate'))
  return { db, env: { ...inject('worldEnv'), DATABASE_URL: db.url } }
}

/**
 * Each worker has one browser and one address, which its sites use one after the other, because a window that's been there
 * has already compiled their scripts.
 */
let browser: Promise<Browser> | undefined
let port: string | undefined

type Settings = () => Promise<Record<string, string>>

/**
 * Both are ready before the file's first test, and gone after its last. The site has its own copy of the demo world.
 * @param env more settings of the site, called when it starts
 */
export const withSiteInBrowser = (env: Settings = async () => ({})) =>
  siteInBrowser<{
    world: World
  }>(async () => {
    const [settings, world] = await Promise.all([env(), openWorld()])
    port ??= String(await freePort())
    return {
      env: { PORT: port, ...world.env, ...settings },
      more: { world },
      close: () => world.db.close(),
    }
  })

/** The same on a fresh host: no database server, no mail server, no companies and no people. */
export const withEmptySiteInBrowser = (env: Record<string, string> = {}) =>
  siteInBrowser<{
    /** Where the site keeps all its data. */
    dataDir: string
  }>(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kettle-empty-'))
    return {
      env: { STARTER: 'none', DATA_DIR: dataDir, ...env },
      more: { dataDir },
      close: () => rm(dataDir, { recursive: true, force: true }),
    }
  })

/** Passkeys need a name. These are settings for a site at `localhost`, and for browsers that visit it there. */
export async function atLocalhost() {
  const port = await freePort()
  const url = `http://localhost:${port}`
  return {
    env: { PORT: String(port), SITE_URL: url },
    visiting: { baseURL: url, storageState: answeredAt(url) },
  }
}

interface Host<More> {
  env: Record<string, string>
  more: More
  close: () => Promise<void>
}

function siteInBrowser<More extends object>(openHost: () => Promise<Host<More>>) {
  const running: Partial<RunningSite> = {}
  let host: Host<More> | undefined
  beforeAll(async () => {
    host = await openHost()
    Object.assign(running, host.more)
    await Promise.all([
      startSite({ env: host.env }).then((site) => {
        running.site = site
      }),
      sharedBrowser().then((browser) => {
        running.browser = browser
      }),
    ])
  })
  afterAll(async () => {
    // A window at another address is no use to the next file.
    const isElsewhere = (page: Page) => !page.url().startsWith(`http://127.0.0.1:${port}/`)
    for (const context of running.browser?.contexts() ?? [])
      if (context.pages().some(isElsewhere)) await context.close()
    await running.site?.stop()
    await host?.close()
  })
  return running as RunningSite & More
}

async function sharedBrowser() {
  if (!(await browser)?.isConnected()) browser = launchChromium()
  return browser as Promise<Browser>
}

interface RunningSite {
  site: Site
  browser: Browser
}

/** The browser storage of someone who has answered the cookie banner. */
export const answeredAt = (origin: string) => ({
  cookies: [],
  origins: [{ origin, localStorage: [{ name: 'cookieConsent', value: 'rejected' }] }],
})
