/** The page behind the link of a reset mail, as it is drawn and as it ends. Spec §2.15, §8, §9. */
import { beforeEach, expect, test, vi } from 'vitest'
import { consumeMailLink } from '#app/kit/session/mail-link.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { rendered } from '#tests/support/rendered.tsx'
import ResetPasswordScreen from './reset-password.screen.tsx'
import { openRecovery, resetPassword } from './sign-in/recovery.data.ts'

vi.mock('./sign-in/recovery.data.ts', () => ({ openRecovery: vi.fn(), resetPassword: vi.fn() }))
vi.mock('#app/kit/session/mail-link.ts', () => ({ consumeMailLink: vi.fn() }))
vi.mock('#app/kit/ui/address.ts', async (original) => ({
  ...(await original<object>()),
  navigate: vi.fn(),
}))
const form = vi.hoisted(() => ({ isBusy: false, send: async () => {} }))
vi.mock('#app/kit/forms/form.tsx', async (original) => ({
  ...(await original<object>()),
  useForm: ({ send }: typeof form) => {
    form.send = send
    return { form: {}, errors: {}, isBusy: form.isBusy }
  },
}))
// The server has no effects: here they come after the drawing, as in a browser.
vi.mock('react', async (original) => ({
  ...(await original<object>()),
  useEffect: (effect: () => void) => queueMicrotask(effect),
}))

const TOKENS = '#access_token=a&refresh_token=r&type=recovery'
const said = () => currentToasts().filter(({ open }) => open)
/** As you see it after opening a link with this fragment. */
const page = (fragment = TOKENS) => {
  vi.mocked(consumeMailLink).mockReturnValue({ query: new URLSearchParams(), fragment })
  return rendered(<ResetPasswordScreen />, { path: '/reset-password' })
}
beforeEach(() => {
  form.isBusy = false
  dismissToast()
  vi.mocked(navigate).mockReset()
  vi.mocked(openRecovery).mockResolvedValue('open')
})

test('Spec §2.15: the page has its heading, two fields and a button, which is disabled while it works', () => {
  const html = page()
  expect(html).toMatch(/<h1[^>]*>Reset Your Password<\/h1>/)
  const labels = [...html.matchAll(/<label[^>]*>(.*?)<\/label>/g)].map(([, text = '']) =>
    text.replace(/<[^>]+>/g, '').trim(),
  )
  expect(labels).toEqual(['New Password', 'Confirm New Password'])
  expect(html).toContain('>Reset Password</button>')
  form.isBusy = true
  expect(page()).toMatch(
    /<button type="submit" disabled=""[^>]*>.*Updating password\.\.\.<\/button>/,
  )
})

test.each(['', '#error=access_denied', '#access_token=a'])(
  'Spec §2.15, §8: the page without a token calls the link invalid and leads home: %j',
  async (fragment) => {
    page(fragment)
    await expect.poll(() => vi.mocked(navigate).mock.calls).toEqual([['/', { replace: true }]])
    expect(said()).toMatchObject([
      {
        title: 'Invalid reset link',
        description: 'This password reset link is invalid or has expired.',
        variant: 'destructive',
      },
    ])
  },
)

test('Spec §8: a refused password is a destructive toast, and the page stays', async () => {
  vi.mocked(resetPassword).mockResolvedValue({ message: 'Not this one' })
  page()
  await Promise.resolve()
  await form.send()
  expect(said()).toMatchObject([
    { title: 'Password reset failed', description: 'Not this one', variant: 'destructive' },
  ])
  expect(navigate).not.toHaveBeenCalled()
})

test('Spec §8, §9: a toast announces dana’s new password, and she’s home 1.5 s later', async () => {
  vi.useFakeTimers()
  vi.mocked(resetPassword).mockResolvedValue(undefined)
  page()
  await Promise.resolve()
  await form.send()
  expect(said()).toMatchObject([
    {
      title: 'Password updated',
      description: 'Your password has been reset successfully.',
    },
  ])
  vi.advanceTimersByTime(1_499)
  expect(navigate).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(navigate).toHaveBeenCalledWith('/')
  vi.useRealTimers()
})
