/** The second client of the auth service: S8. Spec §7.1. */
import { beforeEach, expect, test, vi } from 'vitest'
import { openRecovery, requestReset, resetPassword } from './recovery.data.ts'

const calls = vi.hoisted(() => ({
  made: [] as Record<string, unknown>[],
  asked: [] as unknown[][],
  factors: [] as { status: string }[],
}))
vi.mock('@supabase/auth-js', () => ({
  AuthClient: class {
    constructor(options: Record<string, unknown>) {
      calls.made.push(options)
    }
    resetPasswordForEmail = (...given: unknown[]) => this.#answer('reset', given)
    setSession = (...given: unknown[]) => this.#answer('setSession', given)
    updateUser = (...given: unknown[]) => this.#answer('updateUser', given)
    signOut = (...given: unknown[]) => this.#answer('signOut', given)
    async #answer(name: string, given: unknown[]) {
      calls.asked.push([name, ...given])
      const session = { access_token: 'x', user: { factors: calls.factors } }
      return { data: { session }, error: null }
    }
  },
}))
beforeEach(() => {
  calls.asked.length = 0
  calls.factors.length = 0
  vi.stubGlobal('location', { origin: 'https://samovar.example' })
})

test('Spec §7.1: a password reset leads back to /reset-password on the site', async () => {
  expect(await requestReset('dana@people.example')).toBeUndefined()
  expect(calls.asked).toEqual([
    ['reset', 'dana@people.example', { redirectTo: 'https://samovar.example/reset-password' }],
  ])
})

test('Spec §7.1: the reset page updates the password of the link’s account, and nothing else', async () => {
  const tokens = { access_token: 'a', refresh_token: 'r' }
  expect(await openRecovery(tokens)).toBe('open')
  expect(await resetPassword('a better horse 10')).toBeUndefined()
  expect(calls.asked).toEqual([
    ['setSession', tokens],
    ['updateUser', { password: 'a better horse 10' }],
    ['signOut', { scope: 'local' }],
  ])
})

test('a reset link of an account with a second factor opens half a session', async () => {
  calls.factors.push({ status: 'verified' })
  expect(await openRecovery({ access_token: 'a', refresh_token: 'r' })).toBe('second-step')
})

test('S8: this client stores nothing and ignores the page’s address', () => {
  expect(calls.made).toHaveLength(1)
  expect(calls.made[0]).toMatchObject({
    flowType: 'implicit',
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
  })
})
