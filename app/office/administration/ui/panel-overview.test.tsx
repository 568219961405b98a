import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { rendered } from '#tests/support/rendered.tsx'
import { adminStatsQuery } from '../administration.data.ts'
import { StatCards } from './panel-overview.tsx'

const api = (async () => ({})) as never

type Undelivered = { kind: string; reason: string; count: number }[]

/** The section with these many requests that wait; without a number it loads. */
function section(pending?: number, undelivered: Undelivered = []) {
  const queryClient = new QueryClient()
  const exactly = (count: number) => ({ count, isExact: true })
  if (pending !== undefined)
    queryClient.setQueryData(adminStatsQuery(api).queryKey, {
      users: exactly(1234),
      companies: exactly(2),
      discussions: exactly(3),
      pendingRequests: exactly(pending),
      undelivered,
      backup: null,
    })
  return rendered(<StatCards />, { queryClient })
}

/** What the cards say, and whether they are red. */
const cards = (pending?: number) =>
  [...section(pending).matchAll(/<dt[^>]*>(.*?)<\/dt><dd class="([^"]*)">(.*?)<\/dd>/g)].map(
    ([, name, look = '', shown]) => [name, shown, look.includes('text-danger')],
  )

test('the panel says what mails weren’t delivered and why, if there are any', () => {
  expect(section(0)).not.toContain('delivered')
  const html = section(0, [
    { kind: 'account-mail', reason: 'refused-address', count: 1200 },
    { kind: 'digest-mail', reason: 'tried-too-often', count: 3 },
  ])
  const texts = [...html.matchAll(/<(?:h2|li)[^>]*>(.*?)<\/(?:h2|li)>/g)].map(([, text]) => text)
  expect(texts).toEqual([
    'Undelivered emails: 1,203',
    '1,200 about an account: the address was refused',
    '3 with notifications: no server accepted it for three days',
  ])
})

test('Spec §2.10: the cards show "..." while they load', () => {
  expect(cards()).toEqual([
    ['Total Users', '...', false],
    ['Companies', '...', false],
    ['Discussions', '...', false],
    ['Pending Requests', '...', false],
  ])
})

test('Spec §2.10: Pending Requests turns red above zero, and nothing else does', () => {
  expect(cards(0).map(([, , isRed]) => isRed)).toEqual([false, false, false, false])
  expect(cards(1)).toEqual([
    ['Total Users', '1,234', false],
    ['Companies', '2', false],
    ['Discussions', '3', false],
    ['Pending Requests', '1', true],
  ])
})
