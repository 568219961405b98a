/** The site behind nginx while it restarts, as people in front of an open page see it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browsingOn } from '../support/browsing.ts'
import { launchChromium } from '../support/chromium.ts'
import { freePort } from '../support/postgres-cluster.ts'
import { findProgram, type Program, startNginx } from '../support/programs.ts'
import { type Site, startSite } from '../support/server.ts'
import { openWorld, type World } from '../support/site-in-browser.ts'

const NONE = 'not installed here: nginx'

let world: World
let site: Site
let nginx: Program
let env: Record<string, string>
beforeAll(async () => {
  if (!findProgram('nginx')) return
  world = await openWorld()
  env = { ...world.env, PORT: String(await freePort()), TRUST_PROXY: '1' }
  site = await startSite({ env })
  nginx = await startNginx([Number(env.PORT)])
})
afterAll(async () => {
  await nginx?.stop()
  await site?.stop()
  await world?.db.close()
})

test('vera’s page says that the site is restarting, and comes back by itself', async ({ skip }) => {
  skip(!findProgram('nginx'), NONE)
  const browser = await launchChromium()
  const baseURL = `http://127.0.0.1:${nginx.port}`
  try {
    await browsingOn(
      { site, browser },
      { baseURL, expected: /502|503/ },
    )(async (page) => {
      await page.goto('/companies')
      await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
      await site.stop()
      await page.reload()
      await page.getByRole('heading', { level: 1, name: 'Back in a moment' }).waitFor()
      site = await startSite({ env })
      await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/companies')
    })
  } finally {
    await browser.close()
  }
})
