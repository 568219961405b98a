/**
 * Walks through the built site as its users, and takes a picture at each stop, for the README. It saves them in docs/images.
 * The world is temporary, and nothing leaves this machine.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { DEMO_OWNER, DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { UPDATE_TEXTS } from '#app/kit/updates/update.ts'
import { userButton } from '../support/browsing.ts'
import { complaintsOn, launchChromium } from '../support/chromium.ts'
import { startSite } from '../support/server.ts'
import { liveDemoDays, type Who } from './demo-days.ts'
import { SECRET_KEY, settleDemoWorld } from './demo-world.ts'
import { savePicture } from './picture.ts'
import { STOPS, type Stop } from './stops.ts'

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url))
const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
/** Notifications and counters take a few seconds to catch up. */
const NEWS_MS = 6_000
/** Long enough for anything that loads late, such as pictures and the number on a bell. */
const SETTLE_MS = 400

const { words: names }: { words: string[] } = JSON.parse(process.argv[2] ?? '')
const stops = STOPS.filter(({ name }) => names.length === 0 || names.includes(name))
const unknown = names.filter((name) => !STOPS.some((stop) => stop.name === name))
if (unknown.length > 0) {
  console.error(
    `No picture is called ${unknown}. There are ${STOPS.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}

const dataDir = await mkdtemp(join(tmpdir(), 'kettle-tour-'))
try {
  console.log('Settling the demo world …')
  await settleDemoWorld(dataDir)
  const site = await startSite({
    env: {
      DATA_DIR: dataDir,
      SECRET_KEY,
      OWNER_EMAIL: DEMO_OWNER,
      ENABLE_JOBS: 'true',
      RATE_LIMITS: 'off',
      PROOF_OF_WORK: '0',
    },
  })
  try {
    await walk(site.url)
  } finally {
    await site.stop()
  }
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

async function walk(url: string) {
  const found = await liveDemoDays(url)
  await new Promise((resolve) => setTimeout(resolve, NEWS_MS))
  await mkdir(images, { recursive: true })
  const browser = await launchChromium()
  const sessions: Partial<Record<Who, StorageState>> = {}
  try {
    for (const stop of stops) {
      const { name, who } = stop
      if (who !== 'vera') sessions[who] ??= await signIn(browser, url, who)
      try {
        const bytes = await makePicture(browser, stop, {
          url,
          path: stop.path(found),
          state: sessions[who],
        })
        console.log(`docs/images/${name}.png, ${Math.round(bytes / 1000)} kB`)
      } catch (error) {
        console.error(error)
        process.exitCode = 1
      }
    }
  } finally {
    await browser.close()
  }
}

type StorageState = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>

/** The browser storage of someone who's signed in. */
async function signIn(browser: Browser, url: string, who: Who): Promise<StorageState> {
  const context = await newContext(browser, url, {})
  try {
    const page = await context.newPage()
    await open(page, '/about')
    await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill(`${who}@kettle.example`)
    await dialog.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    return await context.storageState()
  } finally {
    await context.close()
  }
}

async function makePicture(
  browser: Browser,
  stop: Stop,
  { url, path, state }: { url: string; path: string; state?: StorageState },
) {
  const context = await newContext(browser, url, { ...stop, state })
  try {
    const page = await context.newPage()
    const complaints = complaintsOn(page)
    await open(page, path)
    if (state) await userButton(page).waitFor()
    await isStill(page)
    await stop.act?.(page)
    await isStill(page)
    await (stop.from?.(page) ?? page.locator('body')).first().evaluate(lookFrom)
    await page.waitForTimeout(SETTLE_MS)
    if (complaints.length > 0) throw new Error(`At ${path} the browser says: ${complaints}`)
    return await savePicture(page, join(images, `${stop.name}.png`))
  } catch (error) {
    throw new Error(`No picture of "${stop.name}"`, { cause: error })
  } finally {
    await context.close()
  }
}

/**
 * Waits until nothing is loading. We don't use "networkidle", because pages with live updates keep
 * a request open.
 */
async function isStill(page: Page) {
  await page.waitForTimeout(SETTLE_MS)
  await page.waitForFunction(
    () =>
      !document.querySelector('main [role=status][aria-label$="..."]') &&
      [...document.images].every((image) => image.complete || image.loading === 'lazy'),
  )
}

/** Scrolls the picture's subject to just below the header, which stays visible. */
function lookFrom(part: Element) {
  if (part === document.body) return window.scrollTo(0, 0)
  const header = document.querySelector('header')?.getBoundingClientRect().height ?? 0
  window.scrollBy(0, part.getBoundingClientRect().top - header - 24)
}

async function newContext(
  browser: Browser,
  baseURL: string,
  { isPhone, isDark, isAsked, state }: Partial<Stop> & { state?: StorageState },
) {
  const context = await browser.newContext({
    baseURL,
    viewport: isPhone ? PHONE : DESKTOP,
    deviceScaleFactor: 1,
    hasTouch: isPhone,
    colorScheme: isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
    storageState: state,
  })
  if (!isAsked) await context.addInitScript(() => localStorage.setItem('cookieConsent', 'rejected'))
  // The build's age, which differs in each walk.
  await context.addInitScript((label) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`section[aria-label="${label}"] { display: none }`)
    document.adoptedStyleSheets.push(sheet)
  }, UPDATE_TEXTS.label)
  return context
}

/** Opens a page and waits until its scripts have taken over. */
async function open(page: Page, path: string) {
  await page.goto(path)
  await page.locator('html.alive').waitFor({ state: 'attached' })
  await page.evaluate(() => document.fonts.ready)
}
