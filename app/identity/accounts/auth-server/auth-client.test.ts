/** What the specification says of the client is what this client does: it is not our code. */
import { AuthClient } from '@supabase/auth-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTokens } from '#app/api/auth/tokens.server.ts'
import { usualSigningKey } from '#tests/support/auth-site.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-14T09:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

// The client counts what remains in whole looks, of which 90 s are three.
test.each([
  [180, 90],
  [179, 60],
])(
  'Spec §9: the client checks a session every 30 s, and refreshes one of %i s after %i',
  async (lifetime, after) => {
    const began = Date.now() / 1000
    const session = (lifetime: number) => ({
      access_token: 'a.b.c',
      refresh_token: 'r',
      token_type: 'bearer',
      expires_in: lifetime,
      expires_at: began + lifetime,
      user: { id: 'dana' },
    })
    const stored = new Map([['kettle-auth', JSON.stringify(session(lifetime))]])
    const refreshed: number[] = []
    const client = new AuthClient({
      url: 'https://samovar.example/auth/v1',
      storageKey: 'kettle-auth',
      storage: {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, value) => void stored.set(key, value),
        removeItem: (key) => void stored.delete(key),
      },
      fetch: async () => {
        refreshed.push(Date.now() / 1000 - began)
        return Response.json(session(3_600))
      },
    })
    await client.initialize()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(refreshed).toEqual([after])
    await client.stopAutoRefresh()
  },
)

test('Spec §9: the client keeps the set of keys for 10 minutes', async () => {
  const issuer = 'https://samovar.example/auth/v1'
  const tokens = createTokens({
    keys: [await usualSigningKey()],
    issuer,
    lifetime: 3600,
    now: () => new Date(),
  })
  const asked: string[] = []
  const client = new AuthClient({
    url: issuer,
    storageKey: 'keys',
    autoRefreshToken: false,
    persistSession: false,
    fetch: async (url) => {
      asked.push(String(url))
      return Response.json(tokens.jwks)
    },
  })
  const { token } = tokens.sign({ role: 'authenticated' }, 'dana')
  const whose = async () => (await client.getClaims(token)).data?.claims.sub
  expect([await whose(), await whose()]).toEqual(['dana', 'dana'])
  vi.advanceTimersByTime(10 * 60_000 - 1)
  expect(await whose()).toBe('dana')
  expect(asked).toEqual([`${issuer}/.well-known/jwks.json`])
  vi.advanceTimersByTime(1)
  expect(await whose()).toBe('dana')
  expect(asked).toHaveLength(2)
})

test.each([502, 503, 504])(
  'Spec §8, §9: the client retries a %i after 200 ms, then twice as long each time, within 30 s',
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
