/** What stands around every page. Spec §2.2, §2.3, §2.9. */
import { createElement, type ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Me } from '#app/kit/session/session.contract.ts'
import type { Session } from '#app/kit/session/session.data.ts'
import { ThemeToggle } from '#app/kit/ui/theme-toggle.tsx'
import { ALL_ON } from '#tests/support/api.ts'
import { rendered } from '#tests/support/rendered.tsx'
import { dana } from '#tests/support/views.ts'
import { SITE_PAGES } from '../site-pages.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { MobileMenu } from './mobile-menu.tsx'
import { hasFooter, isCurrentEntry } from './navigation.ts'

const here: { session: Session; reader: string | null; theme?: 'light' | 'dark' } = {
  session: { status: 'signed-out' },
  reader: null,
}
vi.mock('#app/kit/session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  useSession: () => here.session,
  useReader: () => here.reader,
}))
const toggleTheme = vi.hoisted(() => vi.fn())
vi.mock('#app/kit/ui/theme.ts', () => ({
  toggleTheme,
  useTheme: () => ({ theme: here.theme }),
}))
// A drawer stands outside of the page's flow, where the server draws nothing.
vi.mock('#app/kit/ui/drawer.tsx', () => ({
  Drawer: ({ title, children }: { title: string; children: ReactNode }) =>
    createElement('section', { 'aria-label': title }, children),
}))
beforeEach(() => {
  here.session = { status: 'signed-out' }
  here.reader = null
  here.theme = 'light'
})

const html = (part: ReactNode, path = '/discussions') => rendered(part, { path })
const words = (part: string) =>
  part
    .replace(/<svg.*?<\/svg>/g, '')
    .split(/<[^>]+>/)
    .map((word) => word.trim())
    .filter(Boolean)

const ada: Me = { ...dana, role: 'admin', can: ['openAdminPanel', 'readContactMessages'] }
const erin: Me = { ...dana, role: 'employer', can: [] }
const signedIn = (me?: Me) => {
  here.session = { status: 'signed-in', me }
}

describe('Spec §2.3: the header', () => {
  test('the header’s logo leads home', () => {
    expect(html(<Header />)).toMatch(/<a href="\/" aria-label="Samovar, home"/)
  })

  test('the header marks the entry whose path matches or begins the current one', () => {
    expect(isCurrentEntry('/companies', '/companies')).toBe(true)
    expect(isCurrentEntry('/companies', '/companies/x')).toBe(true)
    expect(isCurrentEntry('/companies', '/companies-x')).toBe(false)
    expect(html(<Header />, '/discussions')).toMatch(
      /<a href="\/discussions" aria-current="page"[^>]*>Discussions<\/a>/,
    )
  })

  test('the header has Log in and Sign up for visitors', () => {
    expect(words(html(<Header />))).toEqual(expect.arrayContaining(['Log in', 'Sign up']))
  })

  test('the theme toggle says which way it goes, and has both ways until it knows', () => {
    expect(html(<Header />)).toContain('aria-label="Switch to dark mode"')
    here.theme = 'dark'
    expect(html(<Header />)).toContain('aria-label="Switch to light mode"')
    here.theme = undefined
    const waiting = html(<Header />)
    // The styles show the one; a theme is on <html> before anything is painted.
    expect(waiting).toMatch(/<span class="[^"]*in-\[\.dark\]:hidden">Switch to dark mode</)
    expect(waiting).toMatch(/<span class="[^"]*in-\[\.light\]:hidden">Switch to light mode</)
    expect(waiting).not.toContain('disabled=""')
  })

  test('the theme toggle works even before the page knows its theme', () => {
    for (const theme of [undefined, 'dark'] as const) {
      here.theme = theme
      ThemeToggle({}).props.onClick()
    }
    expect(toggleTheme).toHaveBeenCalledTimes(2)
  })

  test('the header has the company search, but not for employers', () => {
    expect(html(<Header />)).toContain('Search for a company...')
    expect(html(<Header />)).toContain('aria-label="Find anything"')
    signedIn(erin)
    expect(html(<Header />)).not.toContain('Search for a company')
  })
})

describe('Spec §2.3: the drawer', () => {
  const drawer = () =>
    html(<MobileMenu open onOpenChange={() => {}} onAuth={() => {}} onContact={() => {}} />)

  test('the drawer’s title is Menu', () =>
    expect(drawer()).toContain('<section aria-label="Menu">'))

  const ABOUT = ['About', ...SITE_PAGES.map(({ short }) => short), 'Contact']

  test('the drawer has Sign Up, Log In, Navigate, and the theme under Settings for visitors', () => {
    expect(words(drawer())).toEqual([
      'Sign Up',
      'Log In',
      'Navigate',
      'Home',
      'Companies',
      'Discussions',
      'Jobs',
      'Settings',
      'Switch to dark mode',
      ...ABOUT,
    ])
  })

  test('the drawer has My discussions for a visitor who wrote something', () => {
    here.reader = 'signed-out'
    expect(words(drawer()).slice(7, 10)).toEqual([
      'In this browser',
      'My discussions',
      'Notifications',
    ])
  })

  test('the drawer has initial and name, Navigation, Account, theme and Sign Out for members', () => {
    signedIn(dana)
    expect(words(drawer())).toEqual([
      'D',
      'Dana',
      'Navigation',
      'Home',
      'Companies',
      'Discussions',
      'Jobs',
      'Account',
      'Profile',
      'My discussions',
      'Settings',
      'Notifications',
      'Alerts',
      'Switch to dark mode',
      'Sign Out',
      ...ABOUT,
    ])
    signedIn({ ...dana, profile: null })
    expect(words(drawer())).toContain('dana@people.example')
  })

  test('the drawer has no Discussions for employers', () => {
    signedIn(erin)
    expect(words(drawer())).not.toContain('Discussions')
  })

  test('the drawer has Administration with the Admin Panel for administrators', () => {
    signedIn(ada)
    const html = drawer()
    expect(words(html)).toEqual(expect.arrayContaining(['Administration', 'Admin Panel']))
    expect(html).toContain('href="/admin-panel"')
  })
})

describe('Spec §2.9: the footer', () => {
  const footer = () => html(<Footer />, '/')

  test('the footer says what the site is, and has a copyright line with the year', () => {
    expect(footer()).toMatch(/Samovar is where people talk about work/)
    expect(footer()).toContain(`© ${new Date().getUTCFullYear()} Samovar`)
  })

  test('the footer has Quick Links, with shorter labels on a phone', () => {
    const all = words(footer())
    const links = all.slice(all.indexOf('Quick Links'))
    expect(links).toEqual(
      expect.arrayContaining([
        'About Us',
        'About',
        'Privacy Policy',
        'Privacy',
        'Terms of Service',
        'Terms',
        'Contact Us',
        'Contact',
      ]),
    )
    for (const { href } of SITE_PAGES) expect(footer()).toContain(`href="${href}"`)
  })

  test('the footer has Contact Messages for administrators, and no one else', async () => {
    signedIn(dana)
    expect(footer()).not.toContain('Messages')
    signedIn(ada)
    // The link's code comes when it is first wanted.
    footer()
    await expect.poll(() => words(footer())).toContain('Contact Messages')
  })

  test('Spec §7.2: the footer offers to request a company if there are companies', () => {
    const button = /<button type="button" aria-haspopup="dialog"[^>]*>.*?<\/button>/gs
    const dialogs = (part: string) => (part.match(button) ?? []).map((each) => words(each)[0])
    expect(dialogs(footer())).toEqual(['Contact Us', 'Request a Company', 'Cookie Preferences'])
    const flags = { ...ALL_ON, enableCompanies: false }
    expect(dialogs(rendered(<Footer />, { flags }))).not.toContain('Request a Company')
  })
})

test.each([
  ['/', true],
  ['/companies', true],
  ['/admin', true],
  ['/admin-panel', true],
  ['/admin-tracking', true],
  ['/edit-company/1', true],
  ['/edit-thread/1', true],
  ['/thread/1', false],
  ['/discussions', false],
  ['/acme', false],
  ['/about', false],
])('Spec §2.2: the footer on %s: %s', (path, isThere) => expect(hasFooter(path)).toBe(isThere))
