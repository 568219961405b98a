/** Signing out, as both menus do it. Spec §2.3, §8, §9. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askToSignIn } from '#app/kit/session/session.data.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { rendered } from '#tests/support/rendered.tsx'
import { signOut } from '../sign-in/sign-in.data.ts'
import { useSignOut } from './use-sign-out.ts'

vi.mock('../sign-in/sign-in.data.ts', () => ({ signOut: vi.fn() }))
vi.mock('#app/kit/ui/address.ts', async (original) => ({
  ...(await original<object>()),
  navigate: vi.fn(),
}))

beforeEach(() => {
  vi.useFakeTimers()
  vi.mocked(navigate).mockReset()
  dismissToast()
})
afterEach(() => vi.useRealTimers())

const said = () => currentToasts().filter(({ open }) => open)
let press = async () => {}
function Menu({ inDrawer }: { inDrawer: boolean }) {
  press = useSignOut({ inDrawer }).leave
  return null
}
async function leave(inDrawer: boolean) {
  rendered(<Menu inDrawer={inDrawer} />)
  await press()
}

test('Spec §2.3, §8: dana signs out, reads so, and is home 100 ms later', async () => {
  vi.mocked(signOut).mockResolvedValue(undefined)
  await leave(false)
  expect(said()).toMatchObject([
    {
      title: 'Signed out successfully',
      description: 'You have been signed out of your account.',
    },
  ])
  vi.advanceTimersByTime(99)
  expect(navigate).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(navigate).toHaveBeenCalledWith('/')
})

test('dana, who opens the log-in dialog before that, stays in it', async () => {
  vi.mocked(signOut).mockResolvedValue(undefined)
  await leave(false)
  askToSignIn({ view: 'login', redirect: '/companies' })
  vi.advanceTimersByTime(1_000)
  expect(navigate).not.toHaveBeenCalled()
  askToSignIn()
})

test.each([
  ['the drawer gives the error’s message', true, 'No connection'],
  ['the header’s menu says to try again', false, 'Please try again'],
])(
  'Spec §8: a failed sign-out is a destructive toast, and dana stays: %s',
  async (_, inDrawer, description) => {
    vi.mocked(signOut).mockResolvedValue({ message: 'No connection' })
    await leave(inDrawer)
    expect(said()).toMatchObject([
      { title: 'Sign out failed', description, variant: 'destructive' },
    ])
    vi.advanceTimersByTime(1_000)
    expect(navigate).not.toHaveBeenCalled()
  },
)
