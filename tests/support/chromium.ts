import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

/**
 * The machine's Chromium, or else Playwright's download, or else null. Unless you need the whole browser, it prefers
 * Debian's separate `chromium-headless-shell`, which takes half the processor time of Chromium's own `--headless`.
 */
export function findChromium({ isWhole = false } = {}): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const names = [
    ...(isWhole ? [] : ['chromium-headless-shell']),
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ]
  const places = [
    ...names.flatMap((name) => ['/usr/bin', ...folders].map((folder) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    chromium.executablePath(),
  ]
  return places.find(isProgram) ?? null
}

function isProgram(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export async function launchChromium(args: string[] = []): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath)
    throw new Error('No Chromium here: looked in PATH and in Playwright’s folder')
  return chromium.launch({
    executablePath,
    args: [
      // Root, and most containers, can't create the sandbox's namespaces. The pages are our own.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  })
}

/**
 * Collects what the browser complains about on a page: console errors, which include failed hydration and what the content
 * security policy blocks, and uncaught exceptions.
 */
export function complaintsOn(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

/**
 * Waits for the page's scripts, which handle earlier typing and clicks. They also load by themselves soon after the page.
 * @throws if its scripts can't load, because they'd never take over
 */
export async function whenAlive(page: Page) {
  const failed = page.locator('#early-news', { hasText: 'didn’t load completely' })
  await page.locator('html.alive').or(failed).waitFor({ state: 'attached' })
  if ((await failed.count()) > 0) throw new Error(`The scripts of ${page.url()} didn’t load`)
}
