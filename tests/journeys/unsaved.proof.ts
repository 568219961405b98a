/** What people write is never lost: a started edit comes back, and you can't leave a form by mistake. On a phone. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  afterClickGuard,
  browsingOn,
  draftIsKept,
  open,
  signIn,
  toast,
} from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ PROOF_OF_WORK: '5000', RATE_LIMITS: 'off' }))
const PHONE = { width: 390, height: 844 }
const browsing = browsingOn(running, {
  viewport: PHONE,
  expected: /status of 409/,
})

const comment = (page: Page) => page.locator('article[aria-label^="Comment "]').first()
const editor = (page: Page) => page.getByLabel('Edit your comment')
const restored = (page: Page) => page.getByText('Draft restored')

const save = (page: Page) => comment(page).getByRole('button', { name: 'Save', exact: true })
const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('kettle-draft:')))

/** Leaves the window wide. */
async function looksFineOnPhones(page: Page, name: string) {
  await looksFine(page, name)
  await page.setViewportSize(PHONE)
}

/** A thread by vera, with her comment. Returns its path. */
async function commented(vera: Page, title: string, text: string) {
  await open(vera, '/create-thread')
  await vera.getByLabel('Title').fill(title)
  await vera.getByRole('button', { name: 'Post thread' }).click()
  await vera.getByRole('heading', { level: 1, name: title }).waitFor()
  await vera.getByRole('button', { name: 'Be the first to comment' }).click()
  await vera.getByLabel('Your comment').fill(text)
  await afterClickGuard(vera)
  await vera.getByRole('button', { name: 'Comment', exact: true }).click()
  await comment(vera).filter({ hasText: text }).waitFor()
  return new URL(vera.url()).pathname
}

async function edit(page: Page) {
  await comment(page)
    .getByRole('button', { name: /^More about comment/ })
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
}

test('vera edits a comment and reloads, the edit comes back, even from the drafts, and goes once saved', () =>
  browsing(async (vera) => {
    const path = await commented(vera, 'Who waters the plants?', 'The night watch')
    await edit(vera)
    await editor(vera).fill('The night watch, on Fridays')
    await draftIsKept(vera, 'on Fridays')
    await open(vera, path)
    await edit(vera)
    await restored(vera).waitFor()
    expect(await editor(vera).inputValue()).toBe('The night watch, on Fridays')

    await open(vera, '/my-discussions?tab=drafts')
    await vera.getByText('Unsaved edit').waitFor()
    await looksFineOnPhones(vera, 'drafts-with-a-change')
    await vera.getByRole('link', { name: 'A comment' }).click()
    await restored(vera).waitFor()
    expect(new URL(vera.url()).hash).toMatch(/^#comment-[0-9a-f-]{36}$/)
    await looksFineOnPhones(vera, 'restored-change')
    await save(vera).click()
    await editor(vera).waitFor({ state: 'detached' })
    await comment(vera).getByText('on Fridays').waitFor()
    expect(await drafts(vera)).toEqual([])
    await edit(vera)
    expect(await editor(vera).inputValue()).toBe('The night watch, on Fridays')
    expect(await restored(vera).count()).toBe(0)
  }))

test('vera’s other tab asks before it overwrites what she saved in the first', () =>
  browsing(async (first) => {
    const path = await commented(first, 'Who feeds the cat?', 'Nobody')
    const second = await first.context().newPage()
    await open(second, path)
    await edit(second)
    await editor(second).fill('The baker does')
    await draftIsKept(second, 'The baker does')
    await edit(first)
    // Both tabs share one draft until both write.
    await restored(first).waitFor()
    await editor(first).fill('The porter does')
    await editor(second).fill('The baker does, on Mondays')
    await save(first).click()
    await editor(first).waitFor({ state: 'detached' })
    await comment(first).getByText('The porter does').waitFor()

    await second.getByText('You saved this in another tab.').waitFor()
    const question = second.getByRole('alert').filter({ hasText: 'It now says:' })
    await question.getByText('The porter does').waitFor()
    expect(await editor(second).inputValue()).toBe('The baker does, on Mondays')
    await looksFineOnPhones(second, 'changed-meanwhile')
    await save(second).click()
    await second.getByText('Keep it, or replace it?').nth(1).waitFor()
    await afterClickGuard(second)
    await question.getByRole('button', { name: 'Replace it with my text' }).click()
    await save(second).click()
    await editor(second).waitFor({ state: 'detached' })
    await comment(second).getByText('The baker does, on Mondays').waitFor()
    expect(await drafts(second)).toEqual([])
  }))

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
const answer = async (page: Page, name: 'Stay' | 'Leave') => {
  await question(page).waitFor()
  await afterClickGuard(page)
  await question(page).getByRole('button', { name }).click()
  await question(page).waitFor({ state: 'detached' })
}

/** Whether the browser asks before it closes or reloads the tab. */
const closingAsks = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))

/** Signed in on a wide screen, where the header shows it. */
async function asAda(page: Page, path: string) {
  await page.setViewportSize({ width: 1280, height: 844 })
  await open(page, '/companies')
  await signIn(page, 'ada')
  await page.setViewportSize(PHONE)
  await open(page, path)
}

test('dana is asked before she loses her edit of a company by a link, Back or closing, but not once it’s sent', () =>
  browsing(async (dana) => {
    await dana.setViewportSize({ width: 1280, height: 844 })
    await open(dana, '/nestle')
    await signIn(dana, 'dana')
    await dana.setViewportSize(PHONE)
    await dana.getByRole('link', { name: 'Suggest an edit' }).first().click()
    const description = dana.getByLabel('Description')
    const words = 'Makes chocolate, and knows it'
    const home = dana.getByRole('link', { name: 'Back to Nestlé' })
    await description.waitFor()
    const editor = dana.url()

    // Nothing was typed, so nothing is asked.
    await description.focus()
    await home.click()
    await dana.waitForURL('**/nestle')
    await dana.goBack()
    await description.waitFor()

    await description.fill(words)
    await home.click()
    await looksFineOnPhones(dana, 'leave-question')
    await answer(dana, 'Stay')
    expect([await description.inputValue(), dana.url()]).toEqual([words, editor])
    for (let times = 0; times < 2; times++) {
      await dana.goBack()
      await answer(dana, 'Stay')
      expect([await description.inputValue(), dana.url()]).toEqual([words, editor])
    }

    const closing = dana.waitForEvent('dialog')
    await dana.close({ runBeforeUnload: true })
    const asked = await closing
    expect(asked.type()).toBe('beforeunload')
    await asked.dismiss()
    expect(await description.inputValue()).toBe(words)

    await dana.goBack()
    await answer(dana, 'Leave')
    await dana.waitForURL('**/nestle')
    await dana.goForward()
    await description.waitFor()
    await description.fill(words)
    await dana.getByRole('button', { name: 'Suggest change' }).click()
    await toast(dana, 'Thank you').waitFor()
    await home.click()
    await dana.waitForURL('**/nestle')
    expect(await question(dana).count()).toBe(0)
  }))

test('a window with words asks before it closes in any way, unless they’re kept elsewhere', () =>
  browsing(async (vera) => {
    await open(vera, '/lampwright-systems?tab=ratings')
    await vera.getByRole('button', { name: 'Report this note' }).first().click()
    const report = vera.getByRole('dialog', { name: 'Report this note' })
    const note = report.getByLabel('What moderators should know')
    await note.fill('It names somebody')
    await vera.keyboard.press('Escape')
    await answer(vera, 'Stay')
    for (const way of ['Cancel', 'Close']) {
      await report.getByRole('button', { name: way }).click()
      await answer(vera, 'Stay')
    }
    expect(await note.inputValue()).toBe('It names somebody')
    await report.getByRole('button', { name: 'Cancel' }).click()
    await answer(vera, 'Leave')
    await report.waitFor({ state: 'detached' })

    await open(vera, '/create-thread')
    await vera.getByLabel('Title').fill('It is kept anyway')
    await draftIsKept(vera, 'It is kept anyway')
    await vera.getByRole('link', { name: 'Kettle' }).first().click()
    await vera.waitForURL((url) => url.pathname === '/')
    expect(await question(vera).count()).toBe(0)
  }))

test('vera is asked before she loses her company request by Back or closing the tab, but not the window', () =>
  browsing(async (vera) => {
    await open(vera, '/companies')
    await vera.getByRole('link', { name: 'Kettle' }).first().click()
    await vera.waitForURL((url) => url.pathname === '/')
    const asking = vera.getByRole('dialog', { name: 'Request a Company' })
    const name = asking.getByLabel('Company Name *')
    const ask = async () => {
      await vera.getByRole('button', { name: 'Request', exact: true }).click()
      await name.fill('Quillfeather Umbrellas')
    }
    await ask()
    await vera.goBack()
    await answer(vera, 'Stay')
    expect([await name.inputValue(), new URL(vera.url()).pathname]).toEqual([
      'Quillfeather Umbrellas',
      '/',
    ])
    await asking.getByRole('button', { name: 'Cancel' }).click()
    await asking.waitFor({ state: 'detached' })
    await ask()
    expect(await closingAsks(vera)).toBe(true)
    await vera.goBack()
    await answer(vera, 'Leave')
    await vera.waitForURL('**/companies')
  }))

test('vera is asked before she loses the twelve words she’s typing', () =>
  browsing(async (vera) => {
    await open(vera, '/my-discussions')
    await vera.getByRole('button', { name: 'Restore your posts' }).click()
    const bringing = vera.getByRole('dialog', { name: 'Restore your posts' })
    const words = bringing.getByLabel('Twelve words')
    await words.fill('abandon ability able')
    await bringing.getByRole('button', { name: 'Close' }).click()
    await answer(vera, 'Stay')
    expect(await closingAsks(vera)).toBe(true)
    expect(await words.inputValue()).toBe('abandon ability able')
  }))

test('ada is asked before she loses the results she changed, but not once they’re imported', () =>
  browsing(async (ada) => {
    const result = { company: 'Anvil Works', category: 'Tools', firstSentence: 'Makes anvils.' }
    const found = { ...result, url: 'https://anvil.example', logo: null, error: null }
    await ada.route('**/functions/v1/scrape-market-movers', (route) =>
      route.fulfill({
        contentType: 'application/x-ndjson',
        body: `${JSON.stringify({ results: [found], error: null })}\n`,
      }),
    )
    await asAda(ada, '/admin-tools')
    await ada.getByRole('button', { name: /^Run .* Scraper$/ }).click()
    const results = ada.getByLabel('Companies to import')
    await expect.poll(() => results.inputValue()).toContain('Anvil Works')
    const text = (await results.inputValue()).replace('Anvil Works', 'Anvil and Sons')
    expect(await closingAsks(ada)).toBe(false)
    await results.fill(text)
    expect(await closingAsks(ada)).toBe(true)
    await ada.getByRole('link', { name: 'Back to Companies' }).click()
    await answer(ada, 'Stay')
    expect(await results.inputValue()).toBe(text)
    await ada.getByRole('button', { name: 'Import to Database' }).click()
    await toast(ada, 'Import successful').waitFor()
    await ada.getByRole('link', { name: 'Back to Companies' }).click()
    await ada.waitForURL('**/companies')
    expect(await question(ada).count()).toBe(0)
  }))

test('ada is asked before Cancel or another template discards the one she’s writing', () =>
  browsing(async (ada) => {
    await asAda(ada, '/admin/moderation?tab=tools')
    const body = ada.getByLabel('Note to the author')
    const press = (name: string) => ada.getByRole('button', { name, exact: true }).click()
    await press('New template')
    await ada.getByLabel('Name', { exact: true }).fill('No adverts')
    await body.fill('No adverts, please.')
    await press('Save template')
    await press('New template')
    await body.fill('Dear author')
    await press('Cancel')
    await answer(ada, 'Stay')
    await press('Change No adverts')
    await answer(ada, 'Stay')
    expect(await body.inputValue()).toBe('Dear author')
    await press('Cancel')
    await answer(ada, 'Leave')
    await press('Change No adverts')
    expect(await body.inputValue()).toBe('No adverts, please.')
    await press('Cancel')
    await body.waitFor({ state: 'detached' })
    expect(await question(ada).count()).toBe(0)
  }))
