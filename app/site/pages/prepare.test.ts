import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { hydrateQueries } from './prepare.ts'

const KEY = ['companies', 'one', 'a']
const noWords = { getElementById: () => null }

afterEach(() => void vi.useRealTimers())

/** How often a screen asks for what it finds in the page. */
function asked(type: string) {
  const client = new QueryClient()
  const answers: [typeof KEY, unknown][] = [[KEY, { name: 'Tea' }]]
  hydrateQueries(client, { answers }, noWords, { type } as never)
  const queryFn = vi.fn(async () => ({ name: 'Tea' }))
  const screen = new QueryObserver(client, { queryKey: KEY, queryFn, staleTime: 30_000 })
  screen.subscribe(() => {})()
  expect(client.getQueryData(KEY)).toEqual({ name: 'Tea' })
  return queryFn.mock.calls.length
}

test.each(['1999-01-01', '2026-03-14', '2101-01-01'])(
  'a page’s data isn’t loaded again, even if the browser’s clock says %s',
  (now) => {
    vi.useFakeTimers({ now: new Date(now) })
    for (const type of ['navigate', 'reload']) expect(asked(type)).toBe(0)
  },
)

test('a page that the browser kept loads everything again when its reader comes back', () =>
  expect(asked('back_forward')).toBe(1))
