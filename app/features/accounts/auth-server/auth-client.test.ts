/** What the specification says of the client is what this client does: it is not our code. */
import { createRequire } from 'node:module'
import { AuthClient } from '@supabase/auth-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const constants = createRequire(import.meta.url)('@supabase/auth-js/dist/main/lib/constants.js')

test('Spec §9: a session is looked at every 30 s and refreshed when 90 s or less remain', () => {
  expect(constants.AUTO_REFRESH_TICK_DURATION_MS).toBe(30_000)
  expect(constants.EXPIRY_MARGIN_MS).toBe(90_000)
})

test('Spec §9: the set of keys is kept for 10 minutes', () => {
  expect(constants.JWKS_TTL).toBe(10 * 60_000)
})

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-14T09:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

test.each([502, 503, 504])(
  'Spec §8, §9: %i is tried again, after 200 ms, then twice as long each time, within 30 s',
  async (status) => {
    const tries: number[] = []
    const client = new AuthClient({
      url: 'https://samovar.example/auth/v1',
      autoRefreshToken: false,
      persistSession: false,
      fetch: async () => {
        tries.push(Date.now())
        return new Response('{}', { status })
      },
    })
    const refused = client.refreshSession({ refresh_token: 'r' })
    await vi.advanceTimersByTimeAsync(40_000)
    expect((await refused).error?.name).toBe('AuthRetryableFetchError')
    const waits = tries.slice(1).map((at, i) => at - (tries[i] as number))
    expect(waits).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800].slice(0, waits.length))
    expect(waits.length).toBeGreaterThan(5)
    expect((tries.at(-1) as number) - (tries[0] as number)).toBeLessThanOrEqual(30_000)
  },
)
