/** The views of the auth dialog and the user menu, as they are drawn at first. Spec §2.3, §2.4. */
import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Me } from '#app/kit/session/session.contract.ts'
import type { Session } from '#app/kit/session/session.data.ts'
import type { SignUpRule } from '#app/platform/operations/live-settings.ts'
import { dana } from '#tests/support/views.ts'
import { UserMenu } from '../../ui/user-menu.tsx'
import { ForgotPasswordForm, LoginForm, ResetSent, SignupForm } from './auth-dialog.tsx'
import { ConfirmEmail, ConfirmFirst } from './confirm-email.tsx'

const flags = {
  enableSettings: true,
  enableProfile: true,
  enableDiscussions: true,
  enableAlerts: true,
  enableDashboard: true,
}
const site: { signUp?: SignUpRule } = {}
const here: { session: Session; theme: 'light' | 'dark'; isLeaving: boolean } = {
  session: { status: 'signed-out' },
  theme: 'light',
  isLeaving: false,
}
vi.mock('#app/kit/session/site.tsx', async (original) => ({
  ...(await original<object>()),
  useSite: () => ({ siteName: 'Samovar', flags, ...site }),
}))
vi.mock('#app/kit/session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  useSession: () => here.session,
  liveSession: vi.fn(),
}))
vi.mock('#app/kit/ui/theme.ts', () => ({ useTheme: () => ({ theme: here.theme }) }))
vi.mock('../../ui/use-sign-out.ts', () => ({
  useSignOut: () => ({ isBusy: here.isLeaving, leave: async () => {} }),
}))
// A menu stands outside of the page's flow, where the server draws nothing.
vi.mock('#app/kit/ui/menu.tsx', () => ({
  Menu: ({ label, children }: { label: string; children: ReactNode }) =>
    createElement('menu', { 'aria-label': label }, children),
  MenuLink: ({ href, children }: { href: string; children: ReactNode }) =>
    createElement('a', { href }, children),
  MenuItem: ({ children }: { children: ReactNode }) =>
    createElement('button', { type: 'button' }, children),
  MenuSeparator: () => null,
}))
beforeEach(() => {
  here.theme = 'light'
  here.isLeaving = false
})

const form = {
  email: '',
  onEmail: () => {},
  password: '',
  onPassword: () => {},
  onView: () => {},
  onDone: () => {},
}
const labels = (html: string) =>
  [...html.matchAll(/<label[^>]*>(.*?)<\/label>/g)].map(([, text = '']) =>
    text.replace(/<[^>]+>/g, '').trim(),
  )
const buttons = (html: string) =>
  [...html.matchAll(/<button[^>]*>(.*?)<\/button>/g)]
    .map(([, text = '']) => text.replace(/<[^>]+>/g, '').trim())
    .filter(Boolean)

describe('Spec §2.4: the views', () => {
  test('the login view has an email, a password, and links to signup and forgot-password', () => {
    const html = renderToString(<LoginForm {...form} />)
    expect(labels(html)).toEqual(['Email', 'Password'])
    expect(buttons(html)).toEqual(['Forgot your password?', 'Log in', 'Sign up'])
  })

  test('the signup view has an email, a password with its least length, and a link to login', () => {
    const html = renderToString(<SignupForm {...form} />)
    expect(labels(html)).toEqual(['Email', 'Password'])
    expect(html).toContain('placeholder="Password (minimum 6 characters)"')
    expect(buttons(html)).toEqual(['Create account', 'Sign in'])
  })

  test('the signup view says who can join, and has no form for others', () => {
    const htmlOf = (mode: SignUpRule['mode'], invitation?: string) => {
      site.signUp = { mode, domains: mode === 'domains' ? ['acme.example'] : [] }
      const html = renderToString(<SignupForm {...form} invitation={invitation} />)
      site.signUp = undefined
      return html
    }
    for (const [mode, sentence, seen, invited] of [
      ['closed', 'Sign-up is closed for now.', [], []],
      ['invitation', 'You need an invitation to sign up.', [], ['Email', 'Password']],
      ['domains', 'an address at acme.example.', ['Email', 'Password'], ['Email', 'Password']],
    ] as const) {
      expect(htmlOf(mode)).toContain(sentence)
      expect(labels(htmlOf(mode))).toEqual(seen)
      expect(labels(htmlOf(mode, 'code'))).toEqual(invited)
      expect(buttons(htmlOf(mode))).toContain('Sign in')
    }
    expect(htmlOf('invitation', 'code')).not.toContain('You need an invitation')
  })

  test('the forgot-password view has an email and "Back to login"', () => {
    const html = renderToString(<ForgotPasswordForm {...form} />)
    expect(labels(html)).toEqual(['Email'])
    expect(buttons(html)).toEqual(['Send reset link', 'Back to login'])
  })

  test('the sent view has a way to try again, which leads back to the form', () => {
    const html = renderToString(<ResetSent {...form} email="dana@people.example" />)
    expect(buttons(html)).toEqual(['Try again', 'Back to login'])
  })
})

describe('while an address isn’t confirmed', () => {
  test('the waiting view has a code and another mail', () => {
    const html = renderToString(<ConfirmEmail email="dana@people.example" />)
    expect(html).toContain('dana@people.example')
    expect(labels(html)).toEqual(['Code'])
    expect(buttons(html)).toEqual(['Confirm my email', 'Send it again'])
  })

  const first = (newEmail: string | null) =>
    renderToString(
      <ConfirmFirst me={{ email: 'dana@people.example', newEmail }}>
        Then you can rate.
      </ConfirmFirst>,
    )

  test('dana, signed in, gets the same wherever something waits, and a way to change the address', () => {
    const html = first(null)
    expect(html).toContain('dana@people.example')
    expect(html).toContain('Then you can rate.')
    expect(labels(html)).toEqual(['Code'])
    expect(buttons(html)).toEqual(['Confirm my email', 'Send it again'])
    expect(html).toContain('href="/settings#account"')
  })

  test('the mail to a new address has only a link, so there’s no code to type', () => {
    const html = first('dana.new@people.example')
    expect(html).toContain('dana.new@people.example')
    expect(labels(html)).toEqual([])
  })
})

const menuOf = (me?: Me) => {
  here.session = { status: 'signed-in', me }
  return renderToString(<UserMenu {...({ open: true } as Parameters<typeof UserMenu>[0])} />)
}
const entries = (html: string) =>
  [...html.matchAll(/<(?:a|button)[^>]*>(.*?)<\/(?:a|button)>/g)].map(([, text]) => text)

describe('Spec §2.3: the user menu', () => {
  test('the user menu shows the username, or "User"', () => {
    expect(menuOf(dana)).toContain('<menu aria-label="Dana">')
    expect(menuOf()).toContain('<menu aria-label="User">')
  })

  test('the user menu has My Account, Profile, My discussions, Alerts, Settings, the other theme and Log out', () => {
    expect(entries(menuOf(dana))).toEqual([
      'My Account',
      'Profile',
      'My discussions',
      'Alerts',
      'Settings',
      'Dark mode',
      'Log out',
    ])
    here.theme = 'dark'
    expect(entries(menuOf(dana))).toContain('Light mode')
  })

  test('the user menu’s Log out reads "Signing out..." meanwhile', () => {
    here.isLeaving = true
    expect(entries(menuOf(dana)).at(-1)).toBe('Signing out...')
  })

  test('the user menu has the Admin Panel for administrators', () => {
    const html = menuOf({ ...dana, role: 'admin', can: ['openAdminPanel'] })
    expect(html).toContain('<a href="/admin-panel">Admin Panel</a>')
    expect(menuOf(dana)).not.toContain('Admin Panel')
  })
})
