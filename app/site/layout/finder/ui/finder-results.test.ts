import { expect, test } from 'vitest'
import type { Session } from '#app/kit/session/session.data.ts'
import { ALL_ON } from '#tests/support/api.ts'
import { dana } from '#tests/support/views.ts'
import { finderPages, readsLike } from './finder-results.ts'

const names = (session: Session, flags = ALL_ON) =>
  finderPages({ flags }, session).map(({ name }) => name)

test('vera, a visitor, finds only pages for visitors', () => {
  const pages = names({ status: 'signed-out' })
  expect(pages).toEqual(
    expect.arrayContaining([
      'Home',
      'Companies',
      'Discussions',
      'My discussions',
      'Privacy Policy',
    ]),
  )
  for (const name of [
    'Profile',
    'Settings',
    'Admin Panel',
    'Moderation',
    'Dashboard',
    'Admin Tools',
  ])
    expect(pages).not.toContain(name)
})

test('dana finds her own pages, and none for administrators', () => {
  const pages = names({ status: 'signed-in', me: dana })
  expect(pages).toEqual(expect.arrayContaining(['Profile', 'Settings', 'Alerts']))
  expect(pages).not.toContain('Admin Panel')
})

test('Spec §2.3: erin, an employer, finds no Discussions', () => {
  const pages = names({ status: 'signed-in', me: { ...dana, role: 'employer', can: [] } })
  expect(pages).not.toContain('Discussions')
  expect(pages).toContain('Dashboard')
})

test('ada finds the pages the server says she can open, and no others', () => {
  const me = { ...dana, role: 'admin' as const, can: ['openAdminPanel', 'moderate'] }
  const pages = names({ status: 'signed-in', me })
  expect(pages).toEqual(expect.arrayContaining(['Admin Panel', 'Moderation']))
  expect(pages).not.toContain('Admin Tools')
  expect(pages).not.toContain('Company Interaction Tracking')
})

test('a page whose flag is off isn’t found', () => {
  const flags = { ...ALL_ON, enableJobs: false, enableDiscussions: false }
  const pages = names({ status: 'signed-out' }, flags)
  for (const name of ['Jobs', 'Discussions', 'My discussions']) expect(pages).not.toContain(name)
})

test('“salary” finds the page about what people earn, unless companies are off', () => {
  const pages = (flags = ALL_ON) =>
    finderPages({ flags }, { status: 'signed-out' })
      .filter(({ words }) => readsLike(words, 'salary'))
      .map(({ name }) => name)
  expect(pages()).toEqual(['What would I earn?'])
  expect(pages({ ...ALL_ON, enableCompanies: false })).toEqual([])
})

test('the finder shows only what everyone can see until it knows who’s here', () =>
  expect(names({ status: 'loading' })).toEqual(
    names({ status: 'signed-out' }).filter((name) => name !== 'Discussions'),
  ))

test.each([
  ['Privacy Policy', 'priv', true],
  ['Privacy Policy', 'pol priv', true],
  ['Privacy Policy', 'ivacy', false],
  ['Switch to dark mode', 'dárk', true],
  ['Settings', '', true],
  ['Settings', '  ', true],
  ['Settings', '???', false],
  ['Settings', 'settings now', false],
])('the entry "%s" matches "%s": %s', (name, typed, reads) =>
  expect(readsLike(name, typed)).toBe(reads),
)
