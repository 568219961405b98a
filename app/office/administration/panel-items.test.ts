import { describe, expect, test } from 'vitest'
import { tidySubject } from '#app/identity/accounts/administrators/admin-action.ts'
import {
  ADMIN_PANEL,
  STAT_LOADING,
  STAT_NAMES,
  STATS_FAILED,
  UNAUTHORIZED,
  USER_ACT_TEXTS,
} from './administration.ts'
import { ENTRIES, panelHref, panelItemOf, SECTIONS, TABS, type Tab } from './panel-items.ts'

describe('Spec §2.10: the Admin Panel, to the letter', () => {
  test('the panel has its title, subtitle and badge', () => {
    expect(ADMIN_PANEL).toEqual({
      title: 'Admin Panel',
      subtitle: 'Manage your platform with comprehensive admin tools',
      badge: 'Administrator Access',
    })
  })

  test('the panel has four cards, with "..." while they load', () => {
    expect(Object.values(STAT_NAMES)).toEqual([
      'Total Users',
      'Companies',
      'Discussions',
      'Pending Requests',
    ])
    expect(STAT_LOADING).toBe('...')
  })

  test('the panel has four tabs', () => {
    expect(Object.values(TABS)).toEqual(['Navigation', 'Admin Tools', 'Content', 'Analytics'])
  })

  /** Title, path, and whether it opens in a new tab; `embedded` stands on the panel itself. */
  const PLACES: Record<Tab, [string, string, string?][]> = {
    navigation: [
      ['Home', '/'],
      ['Companies', '/companies'],
      ['Discussions', '/discussions'],
    ],
    tools: [
      ['User Management', '/admin', 'new tab'],
      ['Company Requests', 'embedded'],
      ['Contact Messages', 'embedded'],
      ['Analytics Tracking', '/admin-tracking', 'new tab'],
      ['Data Management', '/admin', 'new tab'],
    ],
    content: [
      ['Manage Companies', '/companies'],
      ['Moderate Discussions', '/discussions'],
    ],
    analytics: [
      ['User Activity Report', '/admin-tracking', 'new tab'],
      ['Interaction Tracking', '/admin-tracking', 'new tab'],
    ],
  }
  test.each(Object.entries(PLACES))('%s', (tab, places) => {
    const seen = ENTRIES[tab as Tab].map((entry) =>
      'href' in entry
        ? [
            entry.title,
            new URL(entry.href, 'http://site').pathname,
            ...(entry.isNew ? ['new tab'] : []),
          ]
        : [entry.title, 'embedded'],
    )
    expect(seen).toEqual(places)
  })
})

describe('Spec §8: toasts', () => {
  test('Admin page unauthorized: toast "Unauthorized"', () => {
    expect(UNAUTHORIZED).toMatchObject({ title: 'Unauthorized', variant: 'destructive' })
    expect(UNAUTHORIZED).not.toHaveProperty('description')
  })

  test('Admin stats: "Error" / "Failed to load admin statistics"', () => {
    expect(STATS_FAILED).toMatchObject({
      title: 'Error',
      description: 'Failed to load admin statistics',
    })
  })
})

describe('addresses on the panel', () => {
  test('a section opens its tab, and anything else opens the first tab', () => {
    expect(panelItemOf('')).toEqual({ tab: 'navigation' })
    expect(panelItemOf('section=tools')).toEqual({ tab: 'tools' })
    expect(panelItemOf('section=users')).toEqual({ tab: 'tools', section: 'users' })
    expect(panelItemOf('section=edits')).toEqual({ tab: 'content', section: 'edits' })
    for (const odd of ['section=', 'section=x', 'section=toString', 'section=__proto__', '%'])
      expect(panelItemOf(odd)).toEqual({ tab: 'navigation' })
  })

  test('every link of the panel opens what it names, under either path', () => {
    for (const path of ['/admin', '/admin-panel'])
      for (const name of [...Object.keys(TABS), ...Object.keys(SECTIONS)] as Tab[]) {
        const { pathname, search } = new URL(panelHref(path, name), 'http://site')
        const { tab, section } = panelItemOf(search)
        expect([pathname, section ?? tab]).toEqual([path, name])
      }
  })
})

describe('what the log keeps of a subject', () => {
  test.each([
    ['Acme', 'Acme'],
    [' Acme \n and Sons ', 'Acme and Sons'],
    ['Acme (bob@acme.example)', 'Acme …'],
    ['bob@acme', '…'],
    ['a\u0000b\u202ec', 'abc'],
  ])('the log keeps of %j only %j', (given, kept) => {
    expect(tidySubject(given)).toBe(kept)
  })
})

test('the dialog says that deleting an account is final and what stays', () => {
  expect(USER_ACT_TEXTS.delete.text).toMatch(/can’t undo this.*stay/)
})
