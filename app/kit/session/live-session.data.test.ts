/** What the events of the auth client do to a page. Spec §4, §7.1, §8, §9. */
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast } from '../ui/toast.ts'
import { followSession, type SessionTools } from './live-session.data.ts'

type Told = {
  access_token: string
  user: {
    id: string
    factors?: { status: string }[]
    user_metadata?: { user_type?: string }
  }
}
type Watch = (event: string, session: Told | null) => void
const refreshSession = vi.fn(async () => ({ data: {} }))
const made: { options: Record<string, unknown>; tell: Watch }[] = []

vi.mock('@supabase/auth-js', () => ({
  AuthClient: class {
    constructor(readonly options: Record<string, unknown>) {}
    onAuthStateChange(tell: Watch) {
      made.push({ options: this.options, tell })
    }
    refreshSession = refreshSession
    getSession = async () => ({ data: { session: null } })
  },
  isAuthRefreshDiscardedError: () => false,
  isAuthRetryableFetchError: () => false,
}))

const stored = new Map<string, string>()
beforeEach(() => {
  made.length = 0
  refreshSession.mockClear()
  stored.clear()
  dismissToast()
  vi.stubGlobal('localStorage', {
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('location', new URL('https://samovar.example/companies'))
  vi.stubGlobal('document', { documentElement: { classList: { remove: () => {} } } })
})

const dana = { role: 'member', profile: { id: 'd', username: 'Dana' } }
const ada = { role: 'admin', profile: { id: 'a', username: 'Ada' } }

/** A page whose server answers so; what it showed, one after the other. */
function page(answer: () => Promise<unknown>, queryClient = new QueryClient()) {
  const shown: unknown[] = []
  const asked = vi.fn(answer)
  followSession({
    api: asked as never,
    fetchMyPage: asked as never,
    queryClient,
    storageKey: 'kettle-auth',
    show: (session: Parameters<SessionTools['show']>[0]) => shown.push(session),
  })
  const [client] = made
  if (!client) throw new Error('No client was made')
  return {
    shown,
    asked,
    options: client.options,
    /** The page reads events in a later turn. */
    async hears(event: string, id?: string, more: Partial<Told['user']> & { aal?: string } = {}) {
      const { aal, ...user } = more
      const access_token = `e30.${btoa(JSON.stringify({ aal }))}.c2ln`
      client.tell(event, id === undefined ? null : { access_token, user: { id, ...user } })
      await expect.poll(() => shown).not.toEqual([])
      await new Promise((resolve) => setTimeout(resolve, 5))
    },
  }
}

test('Spec §7.1: the session uses the PKCE flow, is stored, refreshed, and detected in the URL', () => {
  expect(page(async () => dana).options).toMatchObject({
    flowType: 'pkce',
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: true,
  })
})

test('S8: the reset page leaves the URL’s session alone', () => {
  vi.stubGlobal('location', new URL('https://samovar.example/reset-password#access_token=x'))
  expect(page(async () => dana).options).toMatchObject({ detectSessionInUrl: false })
})

describe('Spec §4: auth events', () => {
  test.each(['INITIAL_SESSION', 'SIGNED_IN', 'PASSWORD_RECOVERY'])(
    '%s: the user’s profile and administrator load shortly afterwards',
    async (event) => {
      const { hears, shown } = page(async () => dana)
      await hears(event, 'd')
      expect(shown).toEqual([{ status: 'loading' }, { status: 'signed-in', me: dana }])
      expect(stored.has('isAdmin')).toBe(false)
    },
  )

  test('an empty initial session ends the loading', async () => {
    const { hears, shown, asked } = page(async () => dana)
    await hears('INITIAL_SESSION')
    expect(shown).toEqual([{ status: 'signed-out' }])
    expect(asked).not.toHaveBeenCalled()
  })

  test('a sign-out means no profile, no administrator and no loading', async () => {
    const { hears, shown } = page(async () => ada)
    await hears('SIGNED_IN', 'a')
    expect(stored.get('isAdmin')).toBe('true')
    await hears('SIGNED_OUT')
    expect(shown.at(-1)).toEqual({ status: 'signed-out' })
    expect(stored.has('isAdmin')).toBe(false)
  })

  test('a refreshed token changes nothing, and an updated user reloads', async () => {
    const { hears, asked } = page(async () => dana)
    await hears('SIGNED_IN', 'd')
    await hears('TOKEN_REFRESHED', 'd')
    expect(asked).toHaveBeenCalledTimes(1)
    await hears('USER_UPDATED', 'd')
    expect(asked).toHaveBeenCalledTimes(2)
  })
})

test('S10: a new or former employer’s session knows so before the next page', async () => {
  const erin = { ...dana, userType: 'employer' }
  const says = { user_metadata: { user_type: 'employer' } }
  for (const [me, session, isRefreshed] of [
    [dana, {}, false],
    [erin, says, false],
    [erin, {}, true],
    [dana, says, true],
  ] as const) {
    made.length = 0
    refreshSession.mockClear()
    await page(async () => me).hears('INITIAL_SESSION', 'd', session)
    expect(refreshSession).toHaveBeenCalledTimes(isRefreshed ? 1 : 0)
  }
})

test('Spec §8: a profile that can’t load is logged, and gives no profile or administrator', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { hears, shown } = page(async () => {
    throw Object.assign(new Error('No'), { status: 404 })
  })
  await hears('SIGNED_IN', 'a')
  expect(shown.at(-1)).toEqual({ status: 'signed-in', me: undefined })
  expect(stored.has('isAdmin')).toBe(false)
  expect(log).toHaveBeenCalledOnce()
})

describe('the second step of signing in', () => {
  const factors = [{ status: 'verified' }]

  test('dana is a visitor until she verifies her factor, and her profile isn’t requested', async () => {
    const { hears, shown, asked } = page(async () => dana)
    await hears('SIGNED_IN', 'd', { factors, aal: 'aal1' })
    expect(shown).toEqual([{ status: 'signed-out', awaitsSecondFactor: true }])
    // The tab is looked at meanwhile.
    await hears('SIGNED_IN', 'd', { factors, aal: 'aal1' })
    expect(shown).toHaveLength(1)
    expect(asked).not.toHaveBeenCalled()
    await hears('MFA_CHALLENGE_VERIFIED', 'd', { factors, aal: 'aal2' })
    expect(shown.slice(1)).toEqual([{ status: 'signed-in', me: dana }])
  })

  test('a recovery code ends the second step, too, which auth-js calls a sign-in', async () => {
    const { hears, shown } = page(async () => dana)
    await hears('INITIAL_SESSION', 'd', { factors, aal: 'aal1' })
    await hears('SIGNED_IN', 'd', { factors, aal: 'aal2' })
    expect(shown.at(-1)).toEqual({ status: 'signed-in', me: dana })
  })

  test('the server says so if a session doesn’t know of its factor yet', async () => {
    const { hears, shown } = page(async () => ({ profile: null, awaitsSecondFactor: true }))
    await hears('INITIAL_SESSION', 'd')
    expect(shown).toEqual([
      { status: 'loading' },
      { status: 'signed-out', awaitsSecondFactor: true },
    ])
  })

  test('a new factor changes what an administrator can do, and reloads it', async () => {
    const { hears, asked } = page(async () => ada)
    await hears('SIGNED_IN', 'a', { aal: 'aal1' })
    await hears('MFA_CHALLENGE_VERIFIED', 'a', { factors, aal: 'aal2' })
    expect(asked).toHaveBeenCalledTimes(2)
  })

  test('closing the second step signs out', async () => {
    const { hears, shown } = page(async () => dana)
    await hears('SIGNED_IN', 'd', { factors, aal: 'aal1' })
    await hears('SIGNED_OUT')
    expect(shown.at(-1)).toEqual({ status: 'signed-out' })
  })
})

describe('an address that is confirmed elsewhere', () => {
  const confirmed = { ...dana, isEmailConfirmed: true }
  const unconfirmed = { ...dana, isEmailConfirmed: false }

  test('an open tab notices a confirmed address from another tab or when it’s focused, and says so once', async () => {
    const answers = [unconfirmed, unconfirmed, confirmed]
    const { hears, shown, asked } = page(async () => answers.shift() ?? confirmed)
    await hears('INITIAL_SESSION', 'd')
    await hears('SIGNED_IN', 'd')
    expect(currentToasts()).toEqual([])
    await hears('SIGNED_IN', 'd')
    expect(shown.at(-1)).toEqual({ status: 'signed-in', me: confirmed })
    expect(currentToasts()).toMatchObject([{ title: 'Your email is confirmed' }])
    await hears('SIGNED_IN', 'd')
    expect(asked).toHaveBeenCalledTimes(3)
  })

  test('the page of a sign-up is kept until then, and forgotten at sign-out', async () => {
    const answers = [unconfirmed, confirmed]
    const { hears } = page(async () => answers.shift() ?? unconfirmed)
    stored.set('kettle-signup-page', '/acme')
    await hears('SIGNED_IN', 'd')
    expect(stored.get('kettle-signup-page')).toBe('/acme')
    await hears('SIGNED_IN', 'd')
    expect(stored.has('kettle-signup-page')).toBe(false)
    stored.set('kettle-signup-page', '/acme')
    await hears('SIGNED_OUT')
    expect(stored.has('kettle-signup-page')).toBe(false)
  })
})

test('answers from before the address was confirmed are requested again', async () => {
  const queryClient = new QueryClient()
  const answers = [false, true].map((isEmailConfirmed) => ({ ...dana, isEmailConfirmed }))
  const { hears } = page(async () => answers.shift(), queryClient)
  await hears('SIGNED_IN', 'd')
  queryClient.setQueryData(['me', 'jobs', 'd'], [])
  queryClient.setQueryData(['companies'], [])
  await hears('SIGNED_IN', 'd')
  const isStale = (...queryKey: string[]) => queryClient.getQueryState(queryKey)?.isInvalidated
  expect(isStale('me', 'jobs', 'd')).toBe(true)
  expect([isStale('me'), isStale('companies')]).toEqual([false, false])
})
