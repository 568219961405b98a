import { AuthClient } from '@supabase/auth-js'
import { afterEach, expect, test, vi } from 'vitest'
import { byThisClock, fetchByThisClock } from './this-clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

const LIFETIME_S = 3600
const HOUR = 3_600_000
const NOON = Date.parse('2026-03-14T12:00:00Z')

/** As the server answers, by its own clock. */
const session = (now: number) => ({
  access_token: 'e30.e30.c2ln',
  token_type: 'bearer',
  expires_in: LIFETIME_S,
  expires_at: Math.floor(now / 1000) + LIFETIME_S,
  refresh_token: 'r',
  user: { id: 'd', aud: 'authenticated', app_metadata: {}, user_metadata: {}, created_at: '' },
})

test.each([
  ['right', 0],
  ['an hour ahead', HOUR],
  ['a day behind', -24 * HOUR],
])(
  'dana’s session is renewed when its hour is nearly over, with a clock that is %s',
  async (_, ahead) => {
    vi.useFakeTimers({ now: NOON + ahead, toFake: ['Date'] })
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(new URL(url).searchParams.get('grant_type') ?? '')
      return Response.json(session(Date.now() - ahead))
    })
    const auth = new AuthClient({
      url: 'https://samovar.example/auth/v1',
      autoRefreshToken: false,
      persistSession: false,
      fetch: fetchByThisClock,
    })
    await auth.signInWithPassword({ email: 'dana@samovar.example', password: 'correct horse 9' })
    for (let page = 0; page < 10; page++) await auth.getSession()
    expect(asked).toEqual(['password'])
    expect(byThisClock(NOON)).toBe(NOON + ahead)
    vi.setSystemTime(NOON + ahead + 59 * 60_000)
    for (let page = 0; page < 10; page++) await auth.getSession()
    expect(asked).toEqual(['password', 'refresh_token'])
  },
)
