/** What the auth dialog says while it works and when it is done. Spec §2.4, §8. */
import { createElement, type ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { rendered } from '#tests/support/rendered.tsx'
import { requestReset } from '../recovery.data.ts'
import { signIn, signUp } from '../sign-in.data.ts'
import {
  AuthDialog,
  type AuthView,
  ForgotPasswordForm,
  LoginForm,
  SignupForm,
} from './auth-dialog.tsx'

vi.mock('../sign-in.data.ts', () => ({ signIn: vi.fn(), signUp: vi.fn() }))
vi.mock('../recovery.data.ts', () => ({ requestReset: vi.fn() }))
// A window stands outside of the page's flow, where the server draws nothing.
vi.mock('#app/kit/ui/dialog.tsx', async (original) => ({
  ...(await original<object>()),
  Dialog: ({ title, description, children }: Record<string, ReactNode>) =>
    createElement('section', null, createElement('h2', null, title), description, children),
}))
/** The form as it stands: how it is sent, and whether it is on its way. */
const form = vi.hoisted(() => ({ isBusy: false, send: async () => {} }))
vi.mock('#app/kit/forms/form.tsx', async (original) => ({
  ...(await original<object>()),
  useForm: ({ send }: { send: () => Promise<void> }) => {
    form.send = send
    return { form: {}, errors: {}, isBusy: form.isBusy }
  },
}))

const onView = vi.fn()
const onDone = vi.fn()
const props = {
  email: 'dana@people.example',
  onEmail: () => {},
  password: 'correct horse 9',
  onPassword: () => {},
  onView,
  onDone,
}
const said = () => currentToasts().filter(({ open }) => open)

beforeEach(() => {
  form.isBusy = false
  onView.mockReset()
  onDone.mockReset()
  dismissToast()
})

test.each([
  ['login', 'Welcome Back', 'Sign in to your account'],
  ['signup', 'Create Account', 'Join Samovar and say what it’s really like at work'],
  ['forgot-password', 'Reset Password', 'Enter your email and we’ll send you a link'],
  ['sent', 'Check your email', ''],
])('Spec §2.4: the view %s has its title and says what it’s for', (view, title, subtitle) => {
  const request = { view: view as 'login', redirect: '/' }
  const html = rendered(<AuthDialog open onOpenChange={() => {}} request={request} />)
  expect(html).toContain(`<h2>${title}</h2>${subtitle}<`)
})

test('the waiting view leads back to the address and to login', () => {
  const request = { view: 'waiting' as 'login', redirect: '/' }
  const html = rendered(<AuthDialog open onOpenChange={() => {}} request={request} />)
  expect(html).toContain('Change the address')
  expect(html).toContain('Back to login')
})

test.each([
  [LoginForm, 'Signing in...'],
  [SignupForm, 'Creating account...'],
  [ForgotPasswordForm, 'Sending...'],
])('Spec §2.4: the button of a form that’s being sent is disabled and says so', (Form, busy) => {
  const button =
    /<button type="submit" [^>]*disabled=""[^>]*>(?:<svg.*?<\/svg>|<span.*?<\/span>)*([^<]+)<\/button>/
  expect(rendered(<Form {...props} />)).not.toMatch(button)
  form.isBusy = true
  expect(rendered(<Form {...props} />).match(button)?.[1]).toBe(busy)
})

describe('Spec §8: how it ends', () => {
  const refused = { message: 'Not today' }
  const destructive = (title: string) => [
    { title, description: 'Not today', variant: 'destructive' },
  ]

  test('a failed sign-in is a destructive toast, and the dialog stays', async () => {
    vi.mocked(signIn).mockResolvedValue({
      problem: refused,
      weakness: undefined,
      needsSecondStep: false,
    })
    rendered(<LoginForm {...props} />)
    await form.send()
    expect(said()).toMatchObject(destructive('Sign in failed'))
    expect(onDone).not.toHaveBeenCalled()
  })

  test('a sign-in welcomes dana back', async () => {
    vi.mocked(signIn).mockResolvedValue({
      problem: undefined,
      weakness: undefined,
      needsSecondStep: false,
    })
    rendered(<LoginForm {...props} />)
    await form.send()
    expect(said()).toMatchObject([
      { title: 'Welcome back!', description: 'You have successfully logged in.' },
    ])
    expect(onDone).toHaveBeenCalledOnce()
  })

  test('a failed sign-up says why, and the dialog stays', async () => {
    vi.mocked(signUp).mockResolvedValue({ problem: refused, isWaiting: false })
    rendered(<SignupForm {...props} />)
    await form.send()
    expect(said()).toMatchObject(destructive('Sign up failed'))
    expect(onDone).not.toHaveBeenCalled()
  })

  test('a sign-up welcomes dana and closes the dialog', async () => {
    vi.mocked(signUp).mockResolvedValue({ problem: undefined, isWaiting: false })
    rendered(<SignupForm {...props} />)
    await form.send()
    expect(said()).toMatchObject([
      {
        title: 'Welcome to Samovar!',
        description: 'Your account has been created successfully.',
      },
    ])
    expect(onDone).toHaveBeenCalledOnce()
  })

  test('a mail that can’t be requested says why, and the form stays', async () => {
    vi.mocked(requestReset).mockResolvedValue(refused)
    rendered(<ForgotPasswordForm {...props} />)
    await form.send()
    expect(said()).toMatchObject(destructive('Password reset failed'))
    expect(onView).not.toHaveBeenCalled()
  })

  test('a mail that’s on its way is announced, and the view says to look for it', async () => {
    vi.mocked(requestReset).mockResolvedValue(undefined)
    rendered(<ForgotPasswordForm {...props} />)
    await form.send()
    expect(said()).toMatchObject([
      {
        title: 'Password reset email sent',
        description: 'Check your inbox for a link to reset your password.',
      },
    ])
    expect(onView.mock.calls).toEqual([['sent' satisfies AuthView]])
  })
})
