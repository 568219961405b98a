/** Counts are fully readable everywhere: on the bell, on what's waiting, in tabs, buttons, lists and filters. */
import type { Locator, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { grouped, upTo } from '#app/kit/ui/format.ts'
import { browsingOn, open, settled, signIn } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ PROOF_OF_WORK: '0', RATE_LIMITS: 'off' }))
const browsing = browsingOn(running)

const COUNTS = [9, 10, 99, 100, 1_000]
const MANY = 1_000
const WIDTHS = [390, 1280]

/** The queue has filters once there's more than one case. */
async function reportTwo() {
  const threads = await running.world.db.query<{ id: string }>(
    sql`select id from threads where not is_locked order by id limit 2`,
  )
  for (const { id } of threads) {
    const { status } = await fetch(`${running.site.url}/api/v1/reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-anonymous-id': `anon-${'7e4a'.repeat(8)}` },
      body: JSON.stringify({ kind: 'thread', id, reason: 'spam' }),
    })
    expect(status).toBe(201)
  }
}

/** From here on, the server counts many of everything. */
async function serveMany(page: Page) {
  const waiting = [{ kind: 'reports', count: MANY, age: { n: 12, unit: 'day' } }]
  const answers = {
    '**/api/v1/my-page*': { unread: MANY, waiting },
    '**/api/v1/notifications/unread': { unread: MANY },
    '**/api/v1/administration/waiting': { waiting },
    '**/api/v1/contact-messages/unread': { unread: MANY },
    '**/api/v1/moderation/queue*': {
      counts: { open: MANY, appeals: MANY },
      reasons: [{ why: 'spam', count: MANY }],
    },
  }
  for (const [address, counted] of Object.entries(answers))
    await page.route(address, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), ...counted } })
    })
}

/** Which counts can't be read, because they wrap, leave their box, are cut off, or something covers them. */
function cutOff(badge: Element, counts: string[]) {
  const text = document.createTreeWalker(badge, NodeFilter.SHOW_TEXT).nextNode() as Text
  const before = text.data
  const pill = text.parentElement as Element
  const cut = counts.flatMap((count) => {
    text.data = count
    pill.scrollIntoView({ block: 'center', inline: 'nearest' })
    const range = document.createRange()
    range.selectNodeContents(text)
    const lines = range.getClientRects().length
    if (lines !== 1) return `${count} on ${lines} lines`
    const { left, right, top, bottom } = range.getBoundingClientRect()
    for (const x of [left + 1, right - 1])
      if (!badge.contains(document.elementFromPoint(x, (top + bottom) / 2)))
        return `${count} is covered at ${x}`
    for (let box = pill; box !== document.documentElement; box = box.parentElement as Element) {
      if (box !== pill && getComputedStyle(box).overflowX === 'visible') continue
      const edge = box.getBoundingClientRect()
      if (left < edge.left - 0.5 || right > edge.right + 0.5)
        return `${count} from ${left} to ${right} in ${edge.left} to ${edge.right} of ${box.className}`
    }
    return []
  })
  text.data = before
  return cut
}

/** The same for a select's chosen option, which cuts off what's too long. */
function cutOffChoice(select: HTMLSelectElement, counts: string[]) {
  const { font, paddingLeft, paddingRight } = getComputedStyle(select)
  const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
  pen.font = font
  const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
  const [, name = ''] = select.selectedOptions[0]?.text.split(' · ') ?? []
  // A name may be cut off, if enough of it remains to recognise it.
  return counts.filter((count) => pen.measureText(`${count} · ${name.slice(0, 5)}…`).width > room)
}

test('9, 10, 99, 100 and 1,000 of all that is counted for the owner, on a phone and on a desktop', () =>
  browsing(async (page) => {
    const whole = async (badge: Locator, most = Number.POSITIVE_INFINITY, widths = WIDTHS) => {
      const counts = COUNTS.map((count) => upTo(count, most))
      await expect.poll(() => badge.textContent()).toContain(upTo(MANY, most))
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        // A sliding drawer is still outside the window.
        await settled(page)
        expect(await badge.evaluate(cutOff, counts), `${badge} at ${width} px`).toEqual([])
      }
    }
    const [header, main] = [page.getByRole('banner'), page.getByRole('main')]
    const dialog = page.getByRole('dialog')

    await reportTwo()
    await open(page, '/')
    await signIn(page, 'olga')
    await serveMany(page)
    await open(page, '/')
    await whole(header.locator('[href="/notifications"] > span'), 99)
    await whole(header.locator('[data-tooltip="Waiting for you"] > span'), 999)
    const messages = { name: 'Messages' }
    await whole(
      page.getByRole('contentinfo').getByRole('button', messages).locator('> :last-child'),
      999,
    )
    await page.setViewportSize({ width: 390, height: 900 })
    await page.getByRole('button', { name: 'Menu' }).click()
    await whole(dialog.locator('[href="/notifications"] > span'), 99, [390])

    await open(page, '/admin-panel')
    await whole(main.locator('[href="/admin/moderation"] > span').first(), 999)
    await open(page, '/admin-panel?section=content')
    await whole(main.locator('[href="/admin/moderation"] span:has(> .sr-only)').first())
    await open(page, '/admin-panel?section=tools')
    await whole(main.getByRole('button', messages).locator('> span'), 999)
    await main.getByRole('button', messages).click()
    await whole(dialog.getByRole('button', { name: 'Unread' }).locator('> span'), 999)

    await open(page, '/admin/moderation')
    for (const name of ['Queue', 'Appeals'])
      await whole(main.getByRole('link', { name }).locator('> span'))
    const why = main.getByRole('combobox', { name: 'Reason' })
    await why.selectOption('spam')
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      expect(await why.evaluate(cutOffChoice, COUNTS.map(grouped))).toEqual([])
    }
    await looksFine(page, 'queue-filters')
    await page.unrouteAll({ behavior: 'wait' })
  }))
