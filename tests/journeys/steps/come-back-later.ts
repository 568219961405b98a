/** Someone who signed in long ago, for journeys. */
import type { Page } from 'playwright-core'
import { readToken, writeToken } from '#app/api/auth/refresh-tokens.server.ts'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { open, userButton } from '../../support/browsing.ts'
import type { World } from '../../support/site-in-browser.ts'

const HOUR_S = 3_600

/** Comes back to `path` an hour after signing in, with a refresh token that says so. */
export async function comeBackLater(world: World, page: Page, path: string) {
  const session = await page.evaluate(() => JSON.parse(localStorage.getItem('kettle-auth') ?? ''))
  const secrets = createSecrets(world.env.SECRET_KEY as string)
  const token = readToken(secrets, session.refresh_token)
  if (!token) throw new Error('The session has no token of this site')
  const { second } = token
  const former = {
    ...token,
    begunAt: token.begunAt - HOUR_S,
    authenticatedAt: token.authenticatedAt - HOUR_S,
    second: second && { ...second, at: second.at - HOUR_S },
  }
  const older = { ...session, refresh_token: writeToken(secrets, former), expires_at: 1 }
  await page.goto('about:blank')
  await page.goto('/robots.txt')
  await page.evaluate((text) => localStorage.setItem('kettle-auth', text), JSON.stringify(older))
  await open(page, path)
  await userButton(page).waitFor()
}
