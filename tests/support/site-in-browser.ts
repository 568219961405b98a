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
  /** What a site needs to be told, to be that world's. */
  env: Record<string, string>
}

export async function openWorld(): Promise<World> {
  const db = await openCopy(inject('worldTemplate'))
  return { db, env: { ...inject('worldEnv'), DATABASE_URL: db.url } }
}

/**
 * Each worker has one browser and one address, at which its sites stand one after the other: a window that was used there
 * has compiled their scripts.
 */
let browser: Promise<Browser> | undefined
let port: string | undefined

type Settings = () => Promise<Record<string, string>>

/**
 * They are there once the file's first test begins, and gone after its last. The site is the demo
 * world's, on a copy that nobody else has.
 * @param env more settings of the site, asked for when it starts
 */
export const withSiteInBrowser = (env: Settings = async () => ({})) =>
  siteInBrowser<{
    /** The site's. */
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

/** The same on a host where nothing is yet: no database server, no mail server, no company and nobody. */
export const withEmptySiteInBrowser = (env: Record<string, string> = {}) =>
  siteInBrowser<{
    /** Where the site keeps all that it has. */
    dataDir: string
  }>(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kettle-empty-'))
    return {
      env: { STARTER: 'none', DATA_DIR: dataDir, ...env },
      more: { dataDir },
      close: () => rm(dataDir, { recursive: true, force: true }),
    }
  })

/** Passkeys want a name: the settings of a site at `localhost`, and of the browsers that visit it there. */
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
    // What stands at another address is of no use to the next file.
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

/** What a browser keeps whose person has answered about cookies. */
export const answeredAt = (origin: string) => ({
  cookies: [],
  origins: [{ origin, localStorage: [{ name: 'cookieConsent', value: 'rejected' }] }],
})
