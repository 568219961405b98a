/** Ratings that wait in a browser, as if two minutes had gone, or a day. For journeys and benches. */
import type { Page } from 'playwright-core'

/** Its outbox looks when a page opens, or when it hears that one of the answered keys changed. */
export const makeRatingsDue = (page: Page) =>
  page.evaluate(() => {
    const keys = Object.keys(localStorage).filter((it) => it.startsWith('kettle-rated:'))
    for (const key of keys) {
      const rated = JSON.parse(localStorage.getItem(key) ?? '{}')
      for (const one of Object.values<{ dueAt?: number }>(rated)) if (one.dueAt) one.dueAt = 1
      localStorage.setItem(key, JSON.stringify(rated))
    }
    return keys
  })

/** The same on the page that is open: its outbox sends at once. */
export async function makeRatingsDueNow(page: Page) {
  const keys = await makeRatingsDue(page)
  await page.evaluate((keys) => {
    for (const key of keys) dispatchEvent(new StorageEvent('storage', { key }))
  }, keys)
}

/** Its outbox asks at once what became of what was sent; nothing is quiet after a day. */
export const makeQuestionsDue = (page: Page) =>
  page.evaluate(() => {
    const keys = Object.keys(localStorage).filter((it) => it.startsWith('kettle-rated:'))
    localStorage.removeItem('kettle-quiet')
    for (const key of keys) {
      const rated = JSON.parse(localStorage.getItem(key) ?? '{}')
      for (const one of Object.values<{ askAt?: number }>(rated)) if (one.askAt) one.askAt = 1
      localStorage.setItem(key, JSON.stringify(rated))
    }
    for (const key of ['kettle-quiet', ...keys]) dispatchEvent(new StorageEvent('storage', { key }))
  })
