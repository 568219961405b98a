/** What the events of the auth client do to a page. Spec §4, §7.1, §8, §9. */
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { followSession, type SessionTools } from './live-session.data.ts'

type Watch = (event: string, session: { user: { id: string } } | null) => void
const made: { options: Record<string, unknown>; tell: Watch }[] = []

vi.mock('@supabase/auth-js', () => ({
  AuthClient: class {
    constructor(readonly options: Record<string, unknown>) {}
    onAuthStateChange(tell: Watch) {
      made.push({ options: this.options, tell })
    }
    getSession = async () => ({ data: { session: null } })
  },
  isAuthRefreshDiscardedError: () => false,
  isAuthRetryableFetchError: () => false,
}))

const stored = new Map<string, string>()
beforeEach(() => {
  made.length = 0
  stored.clear()
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
function page(answer: () => Promise<unknown>) {
  const shown: unknown[] = []
  const asked = vi.fn(answer)
  followSession({
    api: asked as never,
    queryClient: new QueryClient(),
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
    async hears(event: string, id?: string) {
      client.tell(event, id === undefined ? null : { user: { id } })
      await vi.waitFor(() => expect(shown.length).toBeGreaterThan(0))
      await new Promise((resolve) => setTimeout(resolve, 5))
    },
  }
}

test('Spec §7.1: the session is of the PKCE flow, kept, refreshed, and detected in the URL', () => {
  expect(page(async () => dana).options).toMatchObject({
    flowType: 'pkce',
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: true,
  })
})

test('decision 8: on the reset page the session of the URL is left alone', () => {
  vi.stubGlobal('location', new URL('https://samovar.example/reset-password#access_token=x'))
  expect(page(async () => dana).options).toMatchObject({ detectSessionInUrl: false })
})

describe('Spec §4: auth events', () => {
  test.each(['INITIAL_SESSION', 'SIGNED_IN', 'PASSWORD_RECOVERY'])(
    '%s: with a user, profile and administrator load shortly afterwards',
    async (event) => {
      const { hears, shown } = page(async () => dana)
      await hears(event, 'd')
      expect(shown).toEqual([{ status: 'loading' }, { status: 'signed-in', me: dana }])
      expect(stored.has('isAdmin')).toBe(false)
    },
  )

  test('an initial session of nobody ends the loading', async () => {
    const { hears, shown, asked } = page(async () => dana)
    await hears('INITIAL_SESSION')
    expect(shown).toEqual([{ status: 'signed-out' }])
    expect(asked).not.toHaveBeenCalled()
  })

  test('signed out: nobody’s profile, no administrator, no loading', async () => {
    const { hears, shown } = page(async () => ada)
    await hears('SIGNED_IN', 'a')
    expect(stored.get('isAdmin')).toBe('true')
    await hears('SIGNED_OUT')
    expect(shown.at(-1)).toEqual({ status: 'signed-out' })
    expect(stored.has('isAdmin')).toBe(false)
  })

  test('a refreshed token changes nothing, an updated user is asked for again', async () => {
    const { hears, asked } = page(async () => dana)
    await hears('SIGNED_IN', 'd')
    await hears('TOKEN_REFRESHED', 'd')
    expect(asked).toHaveBeenCalledTimes(1)
    await hears('USER_UPDATED', 'd')
    expect(asked).toHaveBeenCalledTimes(2)
  })
})

test('Spec §8: a profile that does not load is logged, and gives no profile and no administrator', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { hears, shown } = page(async () => {
    throw Object.assign(new Error('No'), { status: 404 })
  })
  await hears('SIGNED_IN', 'a')
  expect(shown.at(-1)).toEqual({ status: 'signed-in', me: undefined })
  expect(stored.has('isAdmin')).toBe(false)
  expect(log).toHaveBeenCalledOnce()
})
