/** What the header's buttons ask for. Spec §2.3. */
import { expect, test, vi } from 'vitest'
import { askToSignIn } from '#app/kit/session/session.data.ts'
import { rendered } from '#tests/support/rendered.tsx'
import { Header } from './header.tsx'

vi.mock('#app/kit/session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  askToSignIn: vi.fn(),
  useSession: () => ({ status: 'signed-out' }),
}))
/** The drawn buttons' handlers, by their label. */
const press = vi.hoisted(() => new Map<string, () => void>())
vi.mock('#app/kit/ui/button.tsx', async (original) => ({
  ...(await original<object>()),
  Button: ({ children, onClick }: { children: string; onClick: () => void }) => {
    press.set(children, onClick)
    return null
  },
}))

test('Spec §2.3: Log in and Sign up open their view, and lead back to this path and query', () => {
  rendered(<Header />, { path: '/companies', search: 'search=bank&sort=a-z' })
  press.get('Log in')?.()
  rendered(<Header />, { path: '/discussions' })
  press.get('Sign up')?.()
  expect(vi.mocked(askToSignIn).mock.calls).toEqual([
    [{ view: 'login', redirect: '/companies?search=bank&sort=a-z' }],
    [{ view: 'signup', redirect: '/discussions' }],
  ])
})
