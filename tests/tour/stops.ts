/** Where the walk stops, with one picture for each thing the site can do. */
import type { Locator, Page } from 'playwright-core'
import type { Found, Who } from './demo-days.ts'

export interface Stop {
  /** The name of the file docs/images/NAME.png. */
  name: string
  who: Who
  path: (found: Found) => string
  /** What people do there. Resolves when the page shows what the picture is about. */
  act?: (page: Page) => Promise<void>
  /** What's at the top of the picture. By default, the top of the page. */
  from?: (page: Page) => Locator
  isDark?: boolean
  isPhone?: boolean
  /** Whether the cookie banner is still open. */
  isAsked?: boolean
}

const settled = (text: string | RegExp) => async (page: Page) =>
  page.getByRole('main').getByText(text).first().waitFor()

export const STOPS: Stop[] = [
  {
    name: 'home',
    who: 'vera',
    path: () => '/',
    act: async (page) => {
      await page.getByRole('combobox', { name: 'Search companies' }).first().fill('game')
      await page.getByRole('option').nth(2).waitFor()
    },
  },
  {
    name: 'ratings',
    who: 'vera',
    path: () => '/lampwright-systems?tab=ratings',
    from: (page) => page.locator('#ratings'),
  },
  {
    name: 'recipe',
    who: 'vera',
    path: () => '/lampwright-systems?tab=ratings',
    from: (page) => page.locator('section[aria-labelledby=ratings] > details'),
    act: async (page) => page.getByText('How this number is made').first().click(),
  },
  {
    name: 'rate',
    who: 'dana',
    path: () => '/caixa-do-vale-quieto?tab=ratings&rate=yes',
    from: (page) => page.locator('form[aria-labelledby=rate]'),
    act: async (page) => {
      for (const [category, stars] of GIVEN) {
        const group = page.getByRole('group', { name: category })
        await group
          .getByRole('radio')
          .nth(stars - 1)
          .check({ force: true })
      }
      await page
        .getByLabel(/What should people know/)
        .fill('Pay bands are on the wall, and **mine was right**. Tuesdays are too full.')
    },
  },
  {
    name: 'thread',
    who: 'dana',
    path: ({ threads }) => threads.moon.path,
    act: settled('Do not fold the Moon'),
  },
  {
    name: 'comments',
    who: 'vera',
    path: ({ threads }) => threads.badges.path,
    from: (page) => page.locator('#comments'),
  },
  {
    name: 'compose',
    who: 'dana',
    path: () => '/create-thread?company=lampwright-systems',
    from: (page) => page.getByText('Title', { exact: true }),
    act: async (page) => {
      await page.getByLabel('Title').fill('Who decides about the fog days?')
      await page.getByLabel('Text', { exact: true }).fill(LEAKY)
      await page.getByLabel('Could someone recognize you?').waitFor()
    },
  },
  {
    name: 'search',
    who: 'vera',
    path: () => '/discussions?search=badge',
  },
  {
    name: 'compare',
    who: 'vera',
    path: () =>
      '/companies?compare=lampwright-systems,caixa-do-vale-quieto,hoshimori-ward-robotics',
  },
  { name: 'alerts', who: 'dana', path: () => '/alerts', act: settled('Halvmåne') },
  { name: 'notifications', who: 'dana', path: () => '/notifications', act: settled('replied') },
  {
    name: 'moderation',
    who: 'ada',
    path: () => '/admin/moderation',
    act: async (page) => {
      await page.getByRole('article').first().waitFor()
      await page.keyboard.press('j')
    },
  },
  {
    name: 'analytics',
    who: 'ada',
    path: () => '/admin-panel?section=analytics',
    from: (page) => page.locator('#analytics'),
    act: async (page) => page.getByRole('heading', { name: 'The last 90 days' }).waitFor(),
  },
  {
    name: 'claims',
    who: 'ada',
    path: () => '/admin-panel?section=claims',
    from: (page) => page.locator('nav[aria-label="Admin Panel"]'),
    act: settled('Dana'),
  },
  {
    name: 'reply',
    who: 'erin',
    path: ({ threads }) => threads.lamp.path,
    from: (page) => page.getByText('Rotation of five'),
    act: async (page) =>
      page
        .getByRole('region', { name: /replied/ })
        .first()
        .waitFor(),
  },
  {
    name: 'dashboard',
    who: 'erin',
    path: ({ companies }) => `/dashboard?company=${companies['lampwright-systems']}&weeks=52`,
    from: (page) => page.getByRole('main').getByText('Company', { exact: true }),
    act: async (page) => page.getByRole('heading', { name: 'Ratings over time' }).waitFor(),
  },
  { name: 'jobs', who: 'dana', path: () => '/jobs', act: settled('Software engineer') },
  { name: 'job', who: 'dana', path: ({ job }) => job },
  { name: 'company', who: 'vera', path: () => '/lampwright-systems', isDark: true },
  { name: 'phone-home', who: 'vera', path: () => '/', isPhone: true },
  {
    name: 'phone-thread',
    who: 'vera',
    path: ({ threads }) => threads.badges.path,
    isPhone: true,
  },
  {
    name: 'phone-dark',
    who: 'vera',
    path: () => '/lampwright-systems?tab=ratings',
    from: (page) => page.locator('#ratings'),
    isPhone: true,
    isDark: true,
  },
  {
    name: 'consent',
    who: 'vera',
    path: () => '/discussions',
    isAsked: true,
    act: async (page) => page.getByRole('button', { name: 'Reject All' }).waitFor(),
  },
]

const GIVEN: [category: RegExp, stars: number][] = [
  [/Return/, 3],
  [/Diversity/, 4],
  [/Work-Life/, 4],
  [/Culture/, 5],
]

const LEAKY =
  'I am the only woman in our team of 4, and on March 14 my manager @jonas told me to come in anyway. ' +
  'Write to me: dana.fog@lampwright.example'
