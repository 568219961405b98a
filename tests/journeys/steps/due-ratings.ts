/** Makes ratings waiting in a browser due, as if two minutes or a day had passed. For journeys and benchmarks. */
import type { Page } from 'playwright-core'

/** The outbox checks when a page opens, or when it's notified that one of the returned keys changed. */
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

/** The same on the open page, whose outbox sends immediately. */
export async function makeRatingsDueNow(page: Page) {
  const keys = await makeRatingsDue(page)
  await page.evaluate((keys) => {
    for (const key of keys) dispatchEvent(new StorageEvent('storage', { key }))
  }, keys)
}

/** The outbox immediately asks what happened to sent ratings, because after a day there's no quiet time left. */
export const makeQuestionsDue = (page: Page) =>
  page.evaluate(() => {
    const keys = Object.keys(localStorage).filter((it) => it.startsWith('kettle-rated:'))
    localStorage.removeItem('kettle-quiet')
    for (const key of keys) {
      const rated = JSON.parse(localStorage.getItem(key) ?? '{}')
      for (const one of Object.values<{ checkAt?: number }>(rated)) if (one.checkAt) one.checkAt = 1
      localStorage.setItem(key, JSON.stringify(rated))
    }
    for (const key of ['kettle-quiet', ...keys]) dispatchEvent(new StorageEvent('storage', { key }))
  })
