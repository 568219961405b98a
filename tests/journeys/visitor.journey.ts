/** Vera, a visitor, looks up a company before she signs. */

import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { amount, slow } from '../support/amounts.ts'
import {
  afterClickGuard,
  browsingOn,
  countShifts,
  holdBack,
  open,
  openAtRest,
  settled,
  shiftsOf,
  signIn,
  toast,
  userButton,
  whenAlive,
} from '../support/browsing.ts'
import { inTheme } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser()

type Rect = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

const PHONE = { width: 390, height: 844 }

/** With animations. */
const visit = browsingOn(running, { reducedMotion: 'no-preference' })

const searchBox = (page: Page) => page.getByRole('combobox', { name: 'Search companies' })

slow.test(
  'home → "mic" → a result → its page → back → the list by category → dark → the drawer',
  () =>
    visit(async (page) => {
      await open(page, '/')
      await searchBox(page).fill('mic')
      // After the matching names, because its category contains the text: "Semiconductors".
      await page.getByRole('option', { name: /AMD/ }).click()
      await page.waitForURL('**/amd')
      await page.getByRole('heading', { level: 1, name: 'AMD' }).waitFor()
      await expect.poll(() => page.title()).toContain('AMD')
      for (const name of [
        'Return-to-Office (RTO) Policy',
        'Diversity, Equity, and Inclusion (DEI)',
        'Work-Life Balance',
        'Company Culture',
      ])
        expect(await page.getByText(name).count()).toBe(1)
      await page.getByRole('link', { name: 'Ratings' }).click()
      await page.getByText('No one has rated AMD yet').waitFor()

      // The previous tab, and the previous page.
      await page.goBack()
      await page.getByRole('heading', { name: 'What people say' }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Kettle' }).waitFor()

      await page.getByRole('navigation', { name: 'Main' }).getByText('Companies').click()
      await page.getByRole('navigation', { name: 'Categories' }).getByText('Semiconductors').click()
      await page.getByRole('heading', { level: 1, name: 'Companies in Semiconductors' }).waitFor()
      expect(new URL(page.url()).searchParams.get('category')).toBe('Semiconductors')
      const categories = page.locator('article p > .truncate')
      // The heading appears before the list.
      await categories.first().waitFor()
      expect(new Set(await categories.allTextContents())).toEqual(new Set(['Semiconductors']))
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Companies', exact: true }).waitFor()

      await page.getByRole('button', { name: 'Switch to dark mode' }).click()
      expect(await page.locator('html').getAttribute('class')).toContain('dark')
      await open(page, page.url())
      expect(await page.locator('html').getAttribute('class')).toContain('dark')

      await page.setViewportSize(PHONE)
      await page.getByRole('button', { name: 'Open menu' }).click()
      const drawer = page.getByRole('dialog', { name: 'Menu' })
      await drawer.waitFor()
      // At the right edge.
      await expect
        .poll(() => drawer.boundingBox())
        .toMatchObject({ x: PHONE.width - 340, width: 340 })
      await drawer.getByRole('link', { name: 'Home' }).click()
      await page.getByRole('heading', { level: 1, name: 'Kettle' }).waitFor()
      await drawer.waitFor({ state: 'hidden' })

      // Spec §2.17: on a phone, the close button of our own pages goes back.
      await page.getByRole('button', { name: 'Open menu' }).click()
      await drawer.getByRole('link', { name: 'About', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'About Us' }).waitFor()
      await page.getByRole('link', { name: 'Close' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Kettle' }).waitFor()
      await page.goForward()
      await page.getByRole('heading', { level: 1, name: 'About Us' }).waitFor()
    }),
)

describe('Spec §2.7, §9: the search box', () => {
  test('the search asks the server once after two characters and a pause of 150 ms, and for the prefix before', () =>
    visit(async (page) => {
      const asked: string[] = []
      page.on('request', (request) => {
        const url = new URL(request.url())
        if (url.pathname.endsWith('/suggest')) asked.push(url.searchParams.get('text') ?? '')
      })
      await open(page, '/')
      // Dispatched in the page, because a busy machine may pause between two keys that a driver types.
      await searchBox(page).evaluate((box: HTMLInputElement) => {
        const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
        for (const typed of ['m', 'mi', 'mic', 'micr']) {
          set?.call(box, typed)
          box.dispatchEvent(new InputEvent('input', { bubbles: true }))
        }
      })
      await page.getByRole('option').first().waitFor()
      await expect.poll(() => asked.toSorted()).toEqual(['mic', 'micr'])
      // Deleting the last letter uses the prefetched response.
      await searchBox(page).fill('mic')
      await page.getByRole('option', { name: /AMD/ }).waitFor()
      await expect.poll(() => asked.sort()).toEqual(['mi', 'mic', 'micr'])
    }))

  test('the search says "Searching..." until the answer arrives', () =>
    visit(async (page) => {
      const answer = await holdBack(page, '**/suggest**')
      await open(page, '/')
      await searchBox(page).pressSequentially('mic')
      await page.getByText('Searching...').waitFor()
      answer()
      await page.getByRole('option').first().waitFor()
      expect(await page.getByText('Searching...').count()).toBe(0)
    }))

  slow.test('the search works by keyboard alone and tells a screen reader what it found', () =>
    visit(async (page) => {
      await open(page, '/')
      await searchBox(page).focus()
      await page.keyboard.type('nestl')
      await page.getByRole('option', { name: /Nestlé/ }).waitFor()
      await page
        .getByRole('status')
        .filter({ hasText: /1 result/ })
        .waitFor({ state: 'attached' })
      await page.keyboard.press('ArrowDown')
      const active = await searchBox(page).getAttribute('aria-activedescendant')
      expect(await page.locator(`[id="${active}"]`).textContent()).toContain('Nestlé')
      await page.keyboard.press('Escape')
      expect(await page.getByRole('option').count()).toBe(0)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/nestle')
    }),
  )

  test('a search without a match says so, Search leads to the list, and Clear empties the box', () =>
    visit(async (page) => {
      await open(page, '/')
      expect(await searchBox(page).getAttribute('placeholder')).toBe('Search for a company...')
      await searchBox(page).fill('zzqx')
      await page.getByText('No companies found matching your search.').waitFor()
      await page.getByRole('button', { name: /^Clear/ }).click()
      expect(await searchBox(page).inputValue()).toBe('')
      await searchBox(page).fill('bank of')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.waitForURL('**/companies?search=bank+of')
      await page.getByText('for “bank of”').waitFor()
    }))

  slow.test('a match is marked, and one outside the name says where it is', () =>
    visit(async (page) => {
      await open(page, '/')
      await searchBox(page).fill('mercedes be')
      await page.locator('[role=option] mark').getByText('Mercedes-Be', { exact: true }).waitFor()
      await searchBox(page).fill('facebook')
      await page.getByRole('option', { name: 'Meta Also known as Facebook' }).waitFor()
      await searchBox(page).fill('toyta')
      await page.getByRole('option', { name: /^Toyota/ }).waitFor()
      await open(page, '/companies?search=starb')
      expect(await page.locator('article mark').first().textContent()).toBe('Starb')
      expect(await page.getByLabel('Sort by').inputValue()).toBe('best-match')
      await page.getByLabel('Sort by').selectOption('A–Z')
      await page.waitForURL('**/companies?search=starb&sort=a-z')
      await open(page, '/companies')
      expect(await page.getByLabel('Sort by').locator('option').first().textContent()).toBe(
        'Trending',
      )
    }),
  )

  slow.test('Spec §2.3: the header has one search, never narrower than 240 px', () =>
    visit(async (page) => {
      await open(page, '/discussions')
      const opener = page.getByRole('banner').getByLabel('Find anything').filter({ visible: true })
      const box = page.getByRole('dialog').getByRole('combobox')
      const widthOf = async (it: Locator) => (await it.boundingBox())?.width
      for (const width of [320, 390, 768, 1023, 1279, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        if (width >= 1280) expect(await widthOf(opener)).toBeGreaterThanOrEqual(240)
        await opener.click()
        await expect.poll(() => box.evaluate((it) => it === document.activeElement)).toBe(true)
        expect(await widthOf(box)).toBeGreaterThanOrEqual(240)
        await page.keyboard.press('Escape')
        await expect.poll(() => opener.evaluate((it) => it === document.activeElement)).toBe(true)
        await box.waitFor({ state: 'detached' })
        await afterClickGuard(page)
      }
      await opener.pressSequentially('nestl')
      await page
        .getByRole('dialog')
        .getByRole('option', { name: /Nestlé/ })
        .first()
        .click()
      await page.waitForURL('**/nestle')
    }),
  )

  slow.test('Spec §2.7: people can search for a text of any length, up to the box’s limit', () =>
    visit(async (page) => {
      await open(page, '/')
      await searchBox(page).fill('zzqx of '.repeat(40))
      expect(await searchBox(page).inputValue()).toHaveLength(100)
      await page.getByText('No companies found matching your search.').waitFor()
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.waitForURL('**/companies?search=zzqx+of+zzqx+of+*')
      await page.getByText('0 companies').waitFor()
    }),
  )

  test('Spec §8: a failed search shows an empty list, and no error', () =>
    visit(
      async (page) => {
        await open(page, '/')
        await page.route('**/suggest**', (route) => route.fulfill({ status: 503, json: {} }))
        const answered = page.waitForResponse('**/suggest**')
        await searchBox(page).fill('micron')
        await answered
        await page.getByText('No companies found matching your search.').waitFor()
        expect(await page.getByRole('alert').count()).toBe(0)
        expect(await page.getByRole('option').count()).toBe(0)
      },
      { expected: /status of 503/ },
    ))
})

describe('Spec §2.5, §9: the home page', () => {
  test('the carousel turns after 10 s through three slides and back, and its dots jump', () =>
    visit(async (page) => {
      await openAtRest(page, '/')
      const shown = () => page.locator('[aria-roledescription=slide] h2:visible').allTextContents()
      await expect.poll(shown).toEqual(['Trending Companies'])
      await page.getByRole('button', { name: 'Pause rotation' }).waitFor()
      const titles = ['Trending Companies', 'Recently Added Companies', 'Highest Rated Companies']
      for (const [before, after] of [
        [titles[0], titles[1]],
        [titles[1], titles[2]],
        [titles[2], titles[0]],
      ]) {
        await page.clock.runFor(9_900)
        expect(await shown()).toEqual([before])
        await page.clock.runFor(100)
        await expect.poll(shown).toEqual([after])
      }
      await page.getByRole('button', { name: 'Highest Rated Companies' }).click()
      await page.clock.runFor(1_000)
      await expect.poll(shown).toEqual(['Highest Rated Companies'])
      expect(await page.locator('[aria-roledescription=slide] article:visible').count()).toBe(8)
      // While the pointer hovers over it, it doesn't rotate.
      await page.clock.runFor(30_000)
      await page.getByRole('button', { name: 'Highest Rated Companies' }).focus()
      await page.clock.runFor(30_000)
      expect(await shown()).toEqual(['Highest Rated Companies'])
    }))

  slow.test('a slide shows 8 companies on a desktop and 6 on a phone', async () => {
    const cards = (page: Page) =>
      page.getByRole('group', { name: 'Trending Companies' }).locator('article:visible').count()
    await visit(async (page) => {
      await open(page, '/')
      expect(await cards(page)).toBe(8)
    })
    await visit(
      async (page) => {
        await open(page, '/')
        expect(await cards(page)).toBe(6)
      },
      { viewport: PHONE },
    )
  })

  test('the welcome toast comes after 2.5 s and stays for 6', () =>
    visit(async (page) => {
      await openAtRest(page, '/')
      const welcome = page.getByText('Join the conversation!')
      await page.clock.runFor(2_450)
      expect(await welcome.count()).toBe(0)
      await page.clock.runFor(100)
      await welcome.waitFor()
      expect(await page.locator('[aria-label=Notifications] li').textContent()).toMatch(
        /(?:[5-9]|1\d|2[0-3]) employees are mid-rant right now\. Join the chaos\./,
      )
      const area = await page.locator('[aria-label=Notifications]').boundingBox()
      const middle = await page.evaluate(() => document.documentElement.clientWidth / 2)
      expect(area?.width).toBe(356)
      expect((area?.x ?? 0) + 178).toBeCloseTo(middle, 0)
      expect(area?.y).toBe(64 + 14)
      const gap = await page
        .locator('[aria-label=Notifications] ol')
        .evaluate((it) => getComputedStyle(it).rowGap)
      expect(gap).toBe('14px')
      await page.clock.runFor(5_900)
      expect(await welcome.count()).toBe(1)
      await page.clock.runFor(100)
      await expect.poll(() => welcome.count()).toBe(0)
    }))

  slow.test('the welcome toast waits while a dialog is open', () =>
    visit(
      async (page) => {
        await openAtRest(page, '/')
        const welcome = page.getByText('Join the conversation!')
        await page.getByRole('button', { name: /Request it here/ }).click()
        const dialog = page.getByRole('dialog', { name: 'Request a Company' })
        // Its code comes over the network, whose clock keeps running. Painting it takes a little of the page's.
        const aLittleLater = (count: () => Promise<number>) => async () => {
          await page.clock.runFor(10)
          return count()
        }
        await expect.poll(aLittleLater(() => dialog.count())).toBe(1)
        await page.clock.runFor(20_000)
        expect(await dialog.count()).toBe(1)
        expect(await welcome.count()).toBe(0)
        await page.keyboard.press('Escape')
        await expect.poll(aLittleLater(() => dialog.count())).toBe(0)
        await page.clock.runFor(600)
        await welcome.waitFor()
      },
      { reducedMotion: 'reduce' },
    ),
  )

  slow.test(
    'a laptop’s first screen has a whole row of companies, and the discussions below it',
    () =>
      visit(
        async (page) => {
          await open(page, '/')
          const card = await page
            .locator('[aria-roledescription=slide] article')
            .first()
            .boundingBox()
          expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual(900)
          const discussed = page.getByRole('region', { name: 'Being discussed now' })
          expect(await discussed.getByRole('listitem').count()).toBe(6)
          await discussed.getByRole('link', { name: 'See all discussions' }).click()
          await page.waitForURL('**/discussions')
        },
        { viewport: { width: 1440, height: 900 } },
      ),
  )

  slow.test('dana finds discussions about companies she follows, and nothing moves for it', () =>
    visit(async (page) => {
      await open(page, '/lampwright-systems')
      await signIn(page, 'dana')
      const follow = page.getByRole('button', { name: /^Follow/ }).first()
      if ((await follow.getAttribute('aria-pressed')) !== 'true') await follow.click()
      await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('true')
      await countShifts(page)
      await open(page, '/')
      const followed = page.getByRole('region', { name: 'From companies you follow' })
      await followed.getByText('Lampwright Systems').first().waitFor()
      await settled(page)
      expect(await shiftsOf(page)).toBeLessThan(0.001)
    }),
  )

  test('the title types itself, a letter every 30 ms, beside a cursor that blinks every 500 ms', () =>
    visit(async (page) => {
      // Only the first script loads, so the styles do it alone.
      await page.route('**/assets/*.js', () => {})
      await page.goto('/')
      const title = page.getByRole('heading', { level: 1 })
      const letters = title.locator('.typewriter > span')
      // The remaining letters are already in the page, invisible, so nothing shifts.
      expect(await title.textContent()).toBe('Kettle')
      // For a running animation, Chromium only keeps the start, so rounding may miss the edge of a step.
      await letters.evaluateAll((all) => {
        for (const letter of all) for (const animation of letter.getAnimations()) animation.pause()
      })
      const typedAt = (ms: number) =>
        letters.evaluateAll((all, ms) => {
          const isSeen = (letter: Element) => {
            for (const animation of letter.getAnimations()) animation.currentTime = ms
            return getComputedStyle(letter).opacity === '1'
          }
          return all.map((letter) => (isSeen(letter) ? letter.textContent : '')).join('')
        }, ms)
      for (const [ms, typed] of [
        [29, ''],
        [30, 'K'],
        [90, 'Ket'],
        [179, 'Kettl'],
        [180, 'Kettle'],
      ] as const)
        expect(await typedAt(ms)).toBe(typed)
      const cursor = await letters.last().evaluate((it) =>
        [0, 499, 500, 999, 1000, 1500].map((at) => {
          for (const animation of it.getAnimations()) animation.currentTime = 180 + at
          // Without a colour, there's nothing to see.
          return /\brgb\(/.test(getComputedStyle(it).boxShadow)
        }),
      )
      expect(cursor).toEqual([true, true, false, false, true, false])
    }))

  slow.test('a failed list says so and offers to refresh', () =>
    visit(
      async (page) => {
        await open(page, '/companies')
        await page.route('**/api/v1/companies/trending**', (route) =>
          route.fulfill({ status: 200, json: 'not what was promised' }),
        )
        await page.route('**/api/v1/companies/recent**', (route) => route.abort())
        await page.getByRole('link', { name: /home/ }).click()
        await page.getByText('Something went wrong').waitFor()
        await page
          .getByText("We're having trouble loading the content. Please try refreshing the page.")
          .waitFor()
        await page.unrouteAll()
        await page.getByRole('button', { name: 'Refresh Page' }).click()
        await page.getByRole('heading', { name: 'Trending Companies' }).waitFor()
      },
      { expected: /ERR_FAILED/ },
    ),
  )

  slow.test(
    'Spec §2.8: the request link opens a dialog, and Escape closes it and returns the focus',
    () =>
      visit(async (page) => {
        await open(page, '/')
        const link = page.getByRole('button', { name: "Can't find your company? Request it here" })
        await link.click()
        const dialog = page.getByRole('dialog', { name: 'Request a Company' })
        await dialog.getByLabel('Company Name *').waitFor()
        // The form only asks for an address if you want to be notified.
        expect(await dialog.getByLabel('Your Email').count()).toBe(0)
        await dialog.getByLabel('Notify me when this company is added').check()
        await dialog.getByLabel('Your Email').waitFor()
        await dialog.getByRole('button', { name: 'Submit' }).click()
        await page.getByRole('alert').getByText('Please enter a company name').first().waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
        expect(await link.evaluate((it) => it === document.activeElement)).toBe(true)
      }),
  )

  test('Spec §2.8: on a phone the request dialog is narrower, with less padding; in both themes', () =>
    visit(async (page) => {
      await open(page, '/')
      await page.getByRole('button', { name: "Can't find your company? Request it here" }).click()
      const dialog = page.getByRole('dialog', { name: 'Request a Company' })
      await dialog.waitFor()
      const measures = () =>
        dialog.evaluate((it) => {
          const form = it.querySelector('form')?.getBoundingClientRect()
          const { left, width } = it.getBoundingClientRect()
          return {
            width,
            padding: (form?.left ?? 0) - left,
            colour: getComputedStyle(it).backgroundColor,
          }
        })
      const wide = await measures()
      await page.setViewportSize({ width: 390, height: 844 })
      const phone = await measures()
      expect(phone.width).toBeLessThan(wide.width)
      expect(phone.padding).toBeLessThan(wide.padding)
      await inTheme(page, 'dark')
      await expect.poll(async () => (await measures()).colour).not.toBe(phone.colour)
    }))

  test('Spec §2.8: a request form closed by hand is empty when it opens again', () =>
    visit(async (page) => {
      await open(page, '/')
      const link = page.getByRole('button', { name: "Can't find your company? Request it here" })
      const dialog = page.getByRole('dialog', { name: 'Request a Company' })
      const name = dialog.getByLabel('Company Name *')
      const website = dialog.getByLabel('Website (optional)')
      const wish = dialog.getByLabel('Notify me when this company is added')
      for (const button of amount(['Close'], ['Cancel', 'Close'])) {
        await link.click()
        await name.fill('Quillfeather Umbrellas')
        await website.fill('quillfeather.example')
        await wish.check()
        await dialog.getByRole('button', { name: button }).click()
        await dialog.waitFor({ state: 'hidden' })
        await afterClickGuard(page)
        await link.click()
        await name.waitFor()
        expect([await name.inputValue(), await website.inputValue()]).toEqual(['', ''])
        expect(await wish.isChecked()).toBe(false)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })
        await afterClickGuard(page)
      }
    }))

  slow.test('Spec §2.7: a search without results offers to request what was typed', () =>
    visit(async (page) => {
      await open(page, '/')
      await searchBox(page).fill('Zzqx Umbrellas')
      await page.getByText('No companies found matching your search.').waitFor()
      await page.getByRole('button', { name: 'Request a company', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Request a Company' })
      expect(await dialog.getByLabel('Company Name *').inputValue()).toBe('Zzqx Umbrellas')
    }),
  )

  test('Spec §2.9: Contact Us in the footer keeps what was typed, and says what is missing', () =>
    visit(async (page) => {
      await open(page, '/')
      const contact = page.getByRole('contentinfo').getByRole('button', { name: 'Contact Us' })
      await contact.click()
      const dialog = page.getByRole('dialog', { name: 'Contact Us' })
      await dialog.getByLabel('Message').fill('Hello')
      await dialog.getByRole('button', { name: 'Submit' }).click()
      await dialog.getByText('Please enter your name').waitFor()
      await dialog.getByText('Please enter your email').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      expect(await contact.evaluate((it) => it === document.activeElement)).toBe(true)
      await page.reload()
      await contact.click()
      await expect.poll(() => dialog.getByLabel('Message').inputValue()).toBe('Hello')
    }))

  slow.test(
    'Spec §2.9, §8: Contact Us reads "Sending..." while it sends, and says that it failed',
    () =>
      visit(
        async (page) => {
          let lose = () => {}
          const isLost = new Promise<void>((resolve) => {
            lose = resolve
          })
          await open(page, '/')
          await page.getByRole('contentinfo').getByRole('button', { name: 'Contact Us' }).click()
          const dialog = page.getByRole('dialog', { name: 'Contact Us' })
          await dialog.getByLabel('Name').fill('Vera')
          await dialog.getByLabel('Email').fill('vera@people.example')
          await dialog.getByLabel('Message').fill('Hello')
          await page.route('**/api/v1/**', async (route) => {
            await isLost
            await route.abort()
          })
          await dialog.getByRole('button', { name: 'Submit' }).click()
          const busy = dialog.getByRole('button', { name: 'Sending...' })
          await busy.waitFor()
          expect(await busy.isDisabled()).toBe(true)
          lose()
          await toast(page, 'Error', 'There was a problem sending your message.').waitFor()
          await dialog.getByRole('button', { name: 'Submit' }).waitFor()
          expect(await dialog.getByLabel('Message').inputValue()).toBe('Hello')
        },
        { expected: /ERR_FAILED/ },
      ),
  )
})

describe('Spec §2.2, §2.3: around every page', () => {
  test('the header is 64 px high and stays, and marks the current path’s entry', () =>
    visit(async (page) => {
      await open(page, '/companies')
      const header = page.getByRole('banner')
      expect((await header.boundingBox())?.height).toBe(64)
      const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]')
      expect(await current.allTextContents()).toEqual(['Companies'])
      await page.mouse.wheel(0, 600)
      await page.waitForFunction(() => scrollY > 0)
      expect((await header.boundingBox())?.y).toBe(0)
    }))

  test('a thin bar under the header grows to 90 percent, is full at 800 ms, and disappears', () =>
    visit(async (page) => {
      await open(page, '/companies')
      const bar = page.getByRole('banner').locator('[aria-hidden=true] > div').last()
      // On the header's edge, which is its last pixel.
      expect(await bar.evaluate((it) => it.getBoundingClientRect().top)).toBe(63)
      const seen = await bar.evaluate((it) => {
        const [growth] = it.getAnimations()
        return [0, 300, 600, 700, 800, 1000].map((at) => {
          if (growth) growth.currentTime = at
          const { width, height } = it.getBoundingClientRect()
          const part = width / document.documentElement.clientWidth
          return { part, height, opacity: getComputedStyle(it).opacity }
        })
      })
      expect(seen.map(({ height }) => height)).toEqual([2, 2, 2, 2, 2, 2])
      const [start, early, most, late, whole, end] = seen
      expect(start?.part).toBe(0)
      expect(early?.part).toBeGreaterThan(0)
      expect(early?.part).toBeLessThan(0.9)
      expect(most?.part).toBeCloseTo(0.9)
      expect(late?.part).toBeLessThan(1)
      expect(whole).toMatchObject({ part: 1, opacity: '1' })
      expect(end?.opacity).toBe('0')
    }))

  test('the page below 768 px is a phone’s, with a menu button instead of menus, and a drawer of 340 px', () =>
    visit(async (page) => {
      await open(page, '/companies')
      const looks = async (width: number) => {
        await page.setViewportSize({ width, height: 900 })
        const { x = -1, width: cards = 0 } =
          (await page.locator('article').first().boundingBox()) ?? {}
        return {
          menuButton: await page.getByRole('button', { name: 'Open menu' }).isVisible(),
          menus: await page.getByRole('navigation', { name: 'Main' }).isVisible(),
          logIn: await page.getByRole('banner').getByRole('button', { name: 'Log in' }).isVisible(),
          fits: x >= 0 && x + cards <= width,
        }
      }
      expect(await looks(767)).toEqual({ menuButton: true, menus: false, logIn: false, fits: true })
      expect(await looks(768)).toEqual({ menuButton: false, menus: true, logIn: true, fits: true })
      await page.setViewportSize(PHONE)
      await page.getByRole('button', { name: 'Open menu' }).click()
      // At the right edge.
      await expect
        .poll(() => page.getByRole('dialog', { name: 'Menu' }).boundingBox())
        .toMatchObject({ x: PHONE.width - 340, width: 340 })
    }))

  test('Spec §9: companies don’t load again when the window regains the focus', () =>
    visit(async (page) => {
      await page.clock.install()
      await open(page, '/')
      // This comes from an effect, so the lists' effects have run, too.
      await page.getByRole('region', { name: 'About this version' }).waitFor()
      const asked: string[] = []
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/api/v1/companies')) asked.push(pathname)
      })
      // The page's data is no longer fresh.
      await page.clock.fastForward('06:00')
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      await page.clock.runFor(1_000)
      // Any earlier request would have been noticed by now.
      await page.evaluate(() => fetch('/robots.txt'))
      expect(asked).toEqual([])
    }))

  test('an address that changes while the page comes alive, as after a mail link, breaks nothing', () =>
    visit(async (page) => {
      await page.addInitScript(() =>
        localStorage.setItem('anonymousUserId', '11111111-1111-4111-8111-111111111111'),
      )
      const arrive = await holdBack(page, '**/assets/home.screen-*.js')
      // The page's scripts ask this when they start.
      const started = page.waitForRequest('**/api/v1/my-page*')
      await page.goto('/')
      await page.keyboard.press('Tab')
      await started
      await page.evaluate(() => history.replaceState(null, '', '/companies'))
      arrive()
      await whenAlive(page)
      await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
    }))

  test('the page scrolls to top on a path change', () =>
    visit(async (page) => {
      await open(page, '/companies')
      await page.mouse.wheel(0, 900)
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300)
      await page.locator('article a').nth(8).click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    }))

  test.each(
    amount(
      [
        ['/', true],
        ['/nestle', false],
      ],
      [
        ['/', true],
        ['/companies', true],
        ['/admin/moderation', true],
        ['/edit-thread/1', true],
        ['/nestle', false],
        ['/discussions', false],
        ['/about', false],
      ],
    ),
  )('the footer on %s: %s', (path, isThere) =>
    visit(async (page) => {
      await open(page, path)
      expect(await page.getByRole('contentinfo').count()).toBe(isThere ? 1 : 0)
    }),
  )

  slow.test('Log in and Sign up open the dialog for a visitor', () =>
    visit(async (page) => {
      await open(page, '/companies')
      await page.getByRole('button', { name: 'Log in' }).click()
      const login = page.getByRole('dialog', { name: 'Welcome Back' })
      await login.getByRole('button', { name: 'Log in', exact: true }).click()
      await login.getByText('Please enter your email').waitFor()
      // Spec §5: both are required, and both are reported.
      expect(await login.getByText('Please enter your password').count()).toBe(1)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Sign up' }).click()
      await page.getByRole('dialog', { name: 'Create Account' }).waitFor()
    }),
  )

  slow.test(
    'Spec §1, §6: erin, an employer, never sees a company search or a way to discussions, not even briefly',
    () =>
      visit(
        async (page) => {
          await open(page, '/about')
          await signIn(page, 'erin')
          for (const path of ['/', '/jobs-of-nobody', '/nestle']) {
            const arrive = await holdBack(page, '**/assets/*.js')
            await page.goto(path, { waitUntil: 'domcontentloaded' })
            // Every frame from the first on, until it's certain who's signed in.
            await page.evaluate(() => {
              const hidden =
                '[role=combobox], [placeholder="Search for a company..."], nav [href="/discussions"]'
              const seen = new Set<string>()
              const look = () => {
                for (const each of document.querySelectorAll(hidden))
                  if (each.checkVisibility()) seen.add(each.outerHTML)
                requestAnimationFrame(look)
              }
              requestAnimationFrame(look)
              Object.assign(window, { seen })
            })
            await page.getByRole('link', { name: 'Companies' }).first().waitFor()
            if (path === '/')
              expect(await page.getByRole('link', { name: 'Browse all companies' }).count()).toBe(2)
            arrive()
            await userButton(page).waitFor()
            await expect
              .poll(() => page.locator('html').getAttribute('class'))
              .not.toContain('is-employer')
            await settled(page)
            expect(
              await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen]),
            ).toEqual([])
            await page.unrouteAll()
          }
        },
        { expected: /status of 404/ },
      ),
  )

  test('the theme is the system’s without a choice, before the first paint and when it changes', () =>
    visit(
      async (page) => {
        await open(page, '/')
        expect(await page.locator('html').getAttribute('class')).toContain('dark')
        await page.emulateMedia({ colorScheme: 'light' })
        await expect.poll(() => page.locator('html').getAttribute('class')).toContain('light')
        // An invalid choice counts as none.
        await page.evaluate(() => localStorage.setItem('theme', 'blue'))
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.reload()
        await page.getByRole('button', { name: 'Switch to light mode' }).waitFor()
        expect(await page.locator('html').getAttribute('class')).toContain('dark')
        // A choice stays.
        await page.getByRole('button', { name: 'Switch to light mode' }).click()
        await expect.poll(() => page.locator('html').getAttribute('class')).toContain('light')
        await page.reload()
        expect(await page.locator('html').getAttribute('class')).toContain('light')
      },
      { colorScheme: 'dark' },
    ))

  test('a click that begins before the page is alive and ends after it counts', () =>
    visit(
      async (page) => {
        const arrive = await holdBack(page, '**/assets/home.screen-*.js')
        await page.goto('/')
        const toggle = page.getByRole('button', { name: 'Switch to light mode' })
        const { x, y, width, height } = (await toggle.boundingBox()) as Rect
        await page.mouse.move(x + width / 2, y + height / 2)
        await page.mouse.down()
        arrive()
        await whenAlive(page)
        await settled(page)
        await page.mouse.up()
        await expect.poll(() => page.locator('html').getAttribute('class')).toContain('light')
      },
      { colorScheme: 'dark' },
    ))

  slow.test('a theme changes at once, without a color that fades from one to the other', () =>
    visit(async (page) => {
      await open(page, '/companies')
      const fading = await page.evaluate(async () => {
        document.querySelector<HTMLElement>('[aria-label="Switch to dark mode"]')?.click()
        await new Promise(requestAnimationFrame)
        return document
          .getAnimations()
          .filter((it) => it instanceof CSSTransition && it.transitionProperty.includes('color'))
          .length
      })
      expect(await page.locator('html').getAttribute('class')).toContain('dark')
      expect(fading).toBe(0)
    }),
  )

  slow.test('a tooltip shows a card’s full name after 700 ms', () =>
    visit(async (page) => {
      await open(page, '/companies')
      const name = page.locator('article a').first()
      const title = await name.textContent()
      await name.hover()
      expect(await page.getByRole('tooltip').count()).toBe(0)
      await page.getByRole('tooltip', { name: title ?? '' }).waitFor()
    }),
  )

  slow.test(
    'Spec §2.1, §8: an error while a screen renders shows the not-found page, which leads home',
    () =>
      visit(
        async (page) => {
          await open(page, '/about')
          // An unusable response, for someone coming from another page.
          await page.route('**/api/v1/companies?**', (route) => route.fulfill({ json: {} }))
          await page.getByRole('navigation', { name: 'Main' }).getByText('Companies').click()
          await page.getByText("Oops! We couldn't find the page you're looking for.").waitFor()
          expect(new URL(page.url()).pathname).toBe('/companies')
          await page.unrouteAll()
          await page.getByRole('link', { name: 'Return to Home' }).click()
          await page.getByRole('heading', { level: 1, name: 'Kettle' }).waitFor()
        },
        { expected: /Cannot read properties/ },
      ),
  )

  slow.test('Spec §2.6: a logo that can’t load gives way to the generic icon', () =>
    visit(
      async (page) => {
        await open(page, '/about')
        const list = await page.evaluate(async () =>
          (await fetch('/api/v1/companies?sort=trending')).json(),
        )
        list.companies[0].logoUrl = '/no/such/logo.webp'
        await page.route('**/api/v1/companies?**', (route) => route.fulfill({ json: list }))
        const [broken, other] = [page.locator('article').first(), page.locator('article').nth(1)]
        await page.getByRole('navigation', { name: 'Main' }).getByText('Companies').click()
        await broken.locator('span.grid > svg.icon').waitFor()
        expect(await broken.locator('img, svg.initials').count()).toBe(0)
        expect(await other.locator('img, svg.initials').count()).toBe(1)
      },
      { expected: /status of 404/ },
    ),
  )

  test('a missing page says so and leads home', () =>
    visit(async (page) => {
      await open(page, '/companies')
      await page.evaluate(() => history.pushState(null, '', '/no/such/page'))
      await page.getByText("Oops! We couldn't find the page you're looking for.").waitFor()
      await page.getByRole('link', { name: 'Return to Home' }).click()
      await page.getByRole('heading', { level: 1, name: 'Kettle' }).waitFor()
    }))
})

describe('the list of companies', () => {
  slow.test('the list grows during scrolling until every company has shown once', () =>
    visit(async (page) => {
      await open(page, '/companies?category=Technology&sort=a-z')
      const names = () => page.locator('article a').allTextContents()
      expect(await names()).toHaveLength(18)
      await page.mouse.wheel(0, 20_000)
      await expect.poll(async () => (await names()).length).toBeGreaterThan(18)
      await expect.poll(() => page.getByRole('link', { name: 'Next' }).count()).toBe(0)
      const all = await names()
      expect(new Set(all).size).toBe(all.length)
      await page.getByText(`${all.length} companies`).waitFor()
    }),
  )

  test('the list’s address says what shows, and opens the same list again', () =>
    visit(async (page) => {
      await open(page, '/companies')
      // The list is interactive.
      await page
        .getByRole('button', { name: /^Follow / })
        .first()
        .waitFor()
      await page.getByLabel('Sort by').selectOption('A–Z')
      await page.waitForURL('**/companies?sort=a-z')
      await expect.poll(() => page.locator('article a').first().textContent()).toBe('3M')
      await page.reload()
      expect(await page.locator('article a').first().textContent()).toBe('3M')
      expect(await page.getByLabel('Sort by').inputValue()).toBe('a-z')
    }))

  slow.test('a search that finds nothing says so and offers the way back', () =>
    visit(async (page) => {
      await open(page, '/companies?search=zzqx')
      await page.getByText('No companies found matching your search.').waitFor()
      await page.getByRole('link', { name: 'Show all companies' }).click()
      await page.waitForURL('**/companies')
    }),
  )
})

test('markup by other code is refused, and so is a script that was changed on its way', async () => {
  await visit(
    async (page) => {
      await open(page, '/nestle')
      const planted = await page.evaluate(() => {
        try {
          document.body.insertAdjacentHTML('beforeend', '<i id="planted"></i>')
        } catch (error) {
          return String(error)
        }
        return 'taken'
      })
      expect(planted).toContain('TrustedHTML')
      expect(await page.locator('#planted').count()).toBe(0)
    },
    { expected: /TrustedHTML/ },
  )
  for (const script of ['main.client', 'company.screen'])
    await visit(
      async (page) => {
        await page.context().route(`**/assets/${script}-*.js`, async (route) => {
          const response = await route.fetch()
          const body = `${await response.text()};globalThis.isChanged = true`
          await route.fulfill({ response, body })
        })
        const refused = page.waitForEvent('console', (said) => /integrity/.test(said.text()))
        await page.goto('/nestle')
        await page.mouse.click(1, 1)
        await refused
        expect(await page.evaluate('globalThis.isChanged')).toBeUndefined()
      },
      // A new window, because used ones already have the script, and this one keeps the changed one.
      { expected: /integrity|Failed to fetch/, serviceWorkers: 'block' },
    )
})

slow.test('the API can be browsed, under the same content security policy', () =>
  visit(
    async (page) => {
      await page.goto('/api/docs/')
      // The first match, because the page only renders the visible part of a document this long.
      await page.getByText('/api/v1/config', { exact: true }).click()
      await page.getByRole('button', { name: 'Try it out' }).waitFor()
    },
    // Swagger's own bundle also sets one inline style, which is blocked and not missed.
    { expected: /Applying inline style .*swagger-ui-bundle\.js/ },
  ),
)

describe('without JavaScript', () => {
  const visitPlain = (work: (page: Page) => Promise<void>) =>
    visit(work, { javaScriptEnabled: false })

  test('every page reads well without JavaScript, and the search form works', () =>
    visitPlain(async (page) => {
      await page.goto('/')
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Kettle')
      expect(
        await page.locator('[aria-roledescription=slide] h2:visible').allTextContents(),
      ).toEqual(['Trending Companies', 'Recently Added Companies', 'Highest Rated Companies'])
      await searchBox(page).fill('micron')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByRole('link', { name: 'Micron Technology' }).click()
      await page.getByRole('heading', { level: 1, name: 'Micron Technology' }).waitFor()
      await page.getByRole('heading', { name: 'Similar companies' }).waitFor()
      await page.getByRole('link', { name: 'About', exact: true }).click()
      await page.getByText('On this site since').waitFor()
    }))

  test('a phone has a menu with its pages and a search without JavaScript', () =>
    visitPlain(async (page) => {
      await page.setViewportSize(PHONE)
      await page.goto('/nestle')
      const menu = page.getByRole('navigation', { name: 'Quick menu' })
      await page.getByRole('button', { name: 'Open menu' }).click()
      await menu.getByText('Logging in needs JavaScript.').waitFor()
      await menu.getByRole('link', { name: 'Discussions' }).click()
      await page.getByRole('heading', { level: 1, name: 'Discussions' }).waitFor()
      expect(await menu.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Open menu' }).click()
      await menu.getByLabel('Find a company').fill('micron')
      await menu.getByRole('button', { name: 'Search' }).click()
      await page.getByRole('link', { name: 'Micron Technology' }).waitFor()
    }))

  slow.test('the list continues by its Next links and filters by its form without JavaScript', () =>
    visitPlain(async (page) => {
      await page.goto('/companies?category=Technology&sort=a-z')
      const first = await page.locator('article a').allTextContents()
      const address = page.url()
      await page.getByRole('link', { name: 'Next' }).click()
      // All of the next page is there, not only its beginning.
      await page.waitForURL(({ href }) => href !== address)
      const second = await page.locator('article a').allTextContents()
      expect(second.length).toBeGreaterThan(0)
      expect(second.filter((name) => first.includes(name))).toEqual([])
      await page.setViewportSize(PHONE)
      await page.getByLabel('Category', { exact: true }).fill('Banking')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Companies in Banking' }).waitFor()
    }),
  )
})
