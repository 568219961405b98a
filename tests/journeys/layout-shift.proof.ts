/** Nothing shifts while a page loads. */
import { expect, test } from 'vitest'
import { browsingOn, countShifts, movesOf, open, shiftsOf, signIn } from '../support/browsing.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const browsing = browsingOn(withSiteInBrowser(async () => ({ RATE_LIMITS: 'off' })))

const PHONE = { width: 360, height: 740 }
const DESKTOP = { width: 1280, height: 900 }

const PAGES: [who: 'a visitor' | 'dana' | 'ada', paths: string[]][] = [
  [
    'a visitor',
    [
      '/edit-company/{company}',
      '/admin',
      '/admin/moderation',
      '/reset-password',
      '/alerts',
      '/profile',
      '/toyta',
    ],
  ],
  [
    'dana',
    [
      '/edit-company/{company}',
      '/admin',
      '/admin-tracking',
      '/alerts',
      '/profile',
      '/my-discussions',
    ],
  ],
  ['ada', ['/edit-company/{company}', '/admin', '/admin/moderation', '/alerts', '/profile']],
]

for (const viewport of [PHONE, DESKTOP])
  test.each(PAGES)(`at ${viewport.width} px nothing moves for %s`, (who, paths) =>
    browsing(
      async (page) => {
        await open(page, '/')
        const { companies } = await page.evaluate(() =>
          fetch('/api/v1/companies/suggest?text=lampwright').then((answer) => answer.json()),
        )
        // Wide screens show the header's own button, and the drawer has the same one.
        await page.setViewportSize(DESKTOP)
        if (who !== 'a visitor') await signIn(page, who)
        await page.setViewportSize(viewport)
        await countShifts(page)
        const moved: Record<string, string[]> = {}
        for (const path of paths) {
          await open(page, path.replace('{company}', companies[0].id))
          await page.waitForLoadState('networkidle')
          const shifts = await shiftsOf(page)
          if (shifts >= 0.001) moved[path] = [String(shifts), ...(await movesOf(page))]
        }
        expect(moved).toEqual({})
      },
      { viewport, expected: /404/ },
    ),
  )
