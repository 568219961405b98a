/** What a browser needs for anonymous ratings. For journeys. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { open } from '../../support/browsing.ts'
import { makeQuestionsDue, makeRatingsDue, makeRatingsDueNow } from './due-ratings.ts'

/** The signed-in person rates a company for the first time. @param isClosed unless the form is already open */
export async function beginRating(page: Page, isClosed = true) {
  if (isClosed) await open(page, '/nestle?tab=ratings&rate=yes')
  await page
    .getByRole('group', { name: /Culture/ })
    .getByRole('radio')
    .first()
    .check({ force: true })
  await page.getByRole('button', { name: 'Rate', exact: true }).click()
  await sending(page).waitFor()
}

/** What people see about their rating until it's on the server. */
export const sending = (page: Page) =>
  page.getByRole('region', { name: 'Your rating' }).getByText('Sending…')

/**
 * Continues as if two minutes had passed. The page at `path` sends what's waiting in this browser once it's
 * open.
 */
export async function sendSoon(page: Page, path: string) {
  await makeRatingsDue(page)
  await open(page, path)
  // When the outbox starts, it gives overdue ratings a few more seconds.
  await untilEach(
    page,
    ({ outgoing, dueAt }) => dueAt !== 1 || Boolean(outgoing?.problem || outgoing?.hasConflict),
  )
  await makeRatingsDueNow(page)
}

interface Waiting {
  dueAt?: number
  outgoing?: { problem?: string; hasConflict?: true }
}

/** Waits until this browser knows that everything it gave has arrived. */
export const arrived = (page: Page) => untilEach(page, ({ outgoing }) => !outgoing)

/** Waits until it's true for every rating that this browser knows of. */
const untilEach = (page: Page, isSo: (rated: Waiting) => boolean) =>
  expect
    .poll(async () => {
      const all = await page.evaluate(() =>
        Object.keys(localStorage)
          .filter((key) => key.startsWith('kettle-rated:'))
          .flatMap((key) => Object.values<Waiting>(JSON.parse(localStorage.getItem(key) ?? '{}'))),
      )
      return all.filter((rated) => !isSo(rated))
    })
    .toEqual([])

/**
 * Continues as if a day had passed on the open page. Its browser asks what happened to what it sent.
 * @param until it shows
 */
export const askSoon = (page: Page, until: () => Promise<boolean>) =>
  expect
    .poll(
      async () => {
        await makeQuestionsDue(page)
        return until()
      },
      { interval: 1_000 },
    )
    .toBe(true)

/** The secret that this page's browser rates with, in base64url. */
export const secretIn = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith('kettle-holder:'))
    return key ? (JSON.parse(localStorage.getItem(key) ?? '').m1 as string) : undefined
  })

export async function shownWords(page: Page): Promise<string[]> {
  const items = page.getByRole('list', { name: 'Your twelve words' }).getByRole('listitem')
  await items.first().waitFor()
  const words = await items.evaluateAll((all) =>
    all.map((item) => item.lastElementChild?.textContent ?? ''),
  )
  expect(words).toHaveLength(12)
  return words
}
