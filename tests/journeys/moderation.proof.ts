/** Reports come in, Ada clears the queue without a mouse, and the authors are notified. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browsingOn, open, signIn } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { askingAs, aThread, demoPerson } from './steps/newcomers.ts'

const running = withSiteInBrowser(async () => ({ PROOF_OF_WORK: '2000', RATE_LIMITS: 'off' }))

// Opening a deleted thread's page requests it once more. A decision from before another one is refused.
const browsing = browsingOn(running, { expected: /\b(409|410)\b/ })

async function statusOf(path: string) {
  const { status, body } = await fetch(running.site.url + path)
  await body?.cancel()
  return status
}

async function startThread(page: Page, title: string, text: string) {
  await open(page, '/create-thread')
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Text', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Post thread' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  return new URL(page.url()).pathname
}

async function report(page: Page, path: string, reason: string) {
  await open(page, path)
  await page.getByRole('main').getByRole('button', { name: 'Report' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(reason).check()
  await dialog.getByRole('button', { name: /^(Send|Report)/ }).click()
  await page.getByText('Thank you. Moderators will review it.').waitFor()
}

test('a visitor reports a post, ada removes it by keyboard, its author appeals, and olga shows it again', () =>
  browsing(async (dana) => {
    await open(dana, '/')
    await signIn(dana, 'dana')
    const advert = await startThread(dana, 'Best coffee beans in town', 'Ask me for a discount.')

    await browsing((vera) => report(vera, advert, 'Spam or advertising'))

    await browsing(async (ada) => {
      await open(ada, '/admin/moderation')
      await ada.getByRole('button', { name: 'Log in' }).first().waitFor()
      await signIn(ada, 'ada')
      await ada.getByText('Best coffee beans in town').waitFor()
      // From here on, only the keyboard.
      const selected = () => ada.evaluate(() => document.activeElement?.textContent ?? '')
      await ada.keyboard.press('j')
      expect(await selected()).toContain('Best coffee beans')
      await ada.keyboard.press('r')
      const dialog = ada.getByRole('dialog')
      await dialog.waitFor()
      await ada.keyboard.press('4')
      await ada.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await ada.getByText('Nothing to review', { exact: false }).first().waitFor()
    })

    // Gone for everyone else, with the reason.
    const gone = await fetch(running.site.url + advert)
    expect(gone.status).toBe(410)
    expect(await gone.text()).toContain('This thread was removed by a moderator: Spam')

    await open(dana, '/')
    await dana.getByRole('link', { name: /^Notifications, 1 unread/ }).click()
    await dana.getByText('Spam or advertising').first().waitFor()
    await open(dana, '/my-discussions?tab=moderation')
    await dana.getByText('Spam or advertising').first().waitFor()
    await dana
      .getByRole('button', { name: /Appeal/ })
      .first()
      .click()
    await dana.getByRole('textbox').last().fill('It was meant for colleagues of mine only.')
    await dana.getByRole('button', { name: /Send/ }).click()
    await dana
      .getByText(/will review it/i)
      .first()
      .waitFor()

    await browsing(async (olga) => {
      await open(olga, '/admin/moderation?tab=appeals')
      await olga.getByRole('button', { name: 'Log in' }).first().waitFor()
      await signIn(olga, 'olga')
      await olga.getByText('It was meant for colleagues of mine only.').waitFor()
      await olga.keyboard.press('j')
      await olga.keyboard.press('a')
      await olga
        .getByText(/No appeal|Nothing/)
        .first()
        .waitFor()
    })
    await expect.poll(() => statusOf(advert)).toBe(200)
  }))

test('ada removes selected cases together by keyboard, and what olga kept meanwhile stays', async () => {
  const { url } = running.site
  const dana = await askingAs(url, demoPerson('dana'))
  const olga = await askingAs(url, demoPerson('olga'))
  const ids: string[] = []
  for (const what of ['beans', 'tea', 'mugs', 'spoons', 'sugar']) {
    const title = `The best ${what} in town, for you`
    const { id } = await dana('/api/v1/threads', aThread({ title, body: `Ask me for ${what}.` }))
    ids.push(id)
    await olga('/api/v1/reports', { kind: 'thread', id, reason: 'illegal', note: '' })
  }
  await browsing(async (ada) => {
    await open(ada, '/admin/moderation')
    await ada.getByRole('button', { name: 'Log in' }).first().waitFor()
    await signIn(ada, 'ada')
    const cases = ada.locator('[data-case]')
    await ada.getByLabel('Reason').selectOption({ label: '5 · Against the law' })
    await expect.poll(() => cases.count()).toBe(5)
    await looksFine(ada)

    await ada.setViewportSize({ width: 390, height: 844 })
    const inSight = () =>
      cases.evaluateAll(
        (all) =>
          all.filter((it) => {
            const { top, bottom } = it.getBoundingClientRect()
            return top >= 0 && bottom <= innerHeight
          }).length,
      )
    await expect.poll(inSight).toBeGreaterThanOrEqual(4)
    await cases.first().getByRole('button', { expanded: false }).click()
    await cases
      .first()
      .getByRole('button', { name: /^Remove/ })
      .waitFor()
    await looksFine(ada)

    // Meanwhile, Olga decides one that Ada can see.
    await olga(`/api/v1/moderation/posts/thread/${ids[1]}/keep`, {})
    for (let n = 0; n < 5; n++) await ada.keyboard.press('k')
    for (let n = 0; n < 4; n++) await ada.keyboard.press('Shift+J')
    await ada.getByRole('toolbar', { name: 'Selected cases' }).getByText('5 selected').waitFor()
    await ada.keyboard.press('r')
    const dialog = ada.getByRole('dialog', { name: 'Remove all 5 posts?' })
    await dialog.waitFor()
    await ada.keyboard.press('4')
    await ada.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await ada.getByText('One wasn’t changed').waitFor()
    await ada.getByText(/tea in town, for you: Meanwhile, .* kept a thread/).waitFor()
    await ada.getByText('No matching cases').waitFor()
  })
  expect(await statusOf(`/thread/${ids[1]}`)).toBe(200)
  for (const id of ids.filter((_, at) => at !== 1))
    expect(await statusOf(`/thread/${id}`)).toBe(410)
})

test('ada can remove what olga kept meanwhile only once she has read so', async () => {
  const { url } = running.site
  const dana = await askingAs(url, demoPerson('dana'))
  const olga = await askingAs(url, demoPerson('olga'))
  const { id } = await dana(
    '/api/v1/threads',
    aThread({ title: 'The best kettles in town', body: 'Ask me for a discount.' }),
  )
  await olga('/api/v1/reports', { kind: 'thread', id, reason: 'spam', note: '' })
  await browsing(async (ada) => {
    await open(ada, `/thread/${id}`)
    await signIn(ada, 'ada')
    await ada.getByRole('button', { name: 'Moderate', exact: true }).waitFor()
    await olga(`/api/v1/moderation/posts/thread/${id}/keep`, {})
    const dialog = ada.getByRole('dialog', { name: 'Remove this thread?' })
    const remove = async () => {
      await ada.getByRole('button', { name: 'Moderate', exact: true }).click()
      await ada.getByRole('menuitem', { name: 'Remove...' }).click()
      await dialog.getByLabel('Spam or advertising').check()
      await dialog.getByRole('button', { name: 'Remove thread' }).click()
    }
    const nowSeen = ada.waitForResponse((it) => it.url().endsWith('/latest'))
    await remove()
    await dialog.getByText(/^Meanwhile, .* kept a thread$/).waitFor()
    expect(await statusOf(`/thread/${id}`)).toBe(200)
    await nowSeen
    await ada.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await remove()
    await dialog.waitFor({ state: 'detached' })
  })
  await expect.poll(() => statusOf(`/thread/${id}`)).toBe(410)
})
