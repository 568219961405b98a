/** What the home page says to who arrives. Spec §1, §2.5. */
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { discussedQuery } from '#app/community/discussions/discussion.data.ts'
import type { Session } from '#app/kit/session/session.data.ts'
import { ALL_ON } from '#tests/support/api.ts'
import { rendered } from '#tests/support/rendered.tsx'
import { dana } from '#tests/support/views.ts'
import HomeScreen from './home.screen.tsx'

const here: { session: Session } = { session: { status: 'signed-out' } }
vi.mock('#app/kit/session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  useSession: () => here.session,
}))

test('Spec §1, §2.5: the home page invites people to spill the tea, and says what they can do', () => {
  const html = rendered(<HomeScreen />)
  for (const text of [
    'Spill the tea and rate your company, anonymously.',
    'Search for a company, join anonymous discussions, and share honest insights about workplace culture with peers.',
    "Can't find your company? Request it here",
  ])
    expect(html).toContain(`>${text}<`)
})

test('Spec §1, §6: everyone has the company search but employers, who find the list', () => {
  const box = 'Search for a company...'
  expect(rendered(<HomeScreen />)).toContain(box)
  here.session = { status: 'signed-in', me: { ...dana, can: ['seeCompanySearch'] } }
  expect(rendered(<HomeScreen />)).toContain(box)
  here.session = { status: 'signed-in', me: { ...dana, userType: 'employer', can: [] } }
  const employers = rendered(<HomeScreen />)
  expect(employers).not.toContain(box)
  expect(employers.match(/<a href="\/companies"[^>]*>Browse all companies<\/a>/g)).toHaveLength(2)
})

const HEADING = '>Being discussed now<'

/** With the hottest threads known. */
function withDiscussed(titles: string[], flags = ALL_ON) {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  })
  const threads = titles.map((title) => ({
    id: title,
    path: `/thread/${title}`,
    title,
    company: { id: 'acme', name: 'Acme', path: '/acme' },
    comments: 3,
  }))
  queryClient.setQueryData(discussedQuery(vi.fn() as never).queryKey, threads as never)
  return rendered(<HomeScreen />, { queryClient, flags })
}

test('the home page shows what’s being discussed below the carousel, with a link to all of it', () => {
  const html = withDiscussed(['Thursdays', 'Mondays'])
  expect(html).toContain(HEADING)
  for (const title of ['Thursdays', 'Mondays'])
    expect(html).toMatch(new RegExp(`<a href="/thread/${title}"[^>]*>${title}</a>`))
  expect(html).toContain('>Acme<')
  expect(html).toContain('>3 comments<')
  expect(html).toMatch(/<a href="\/discussions"[^>]*>See all discussions<\/a>/)
})

test('the home page leaves the section out if no one talks or discussions are off', () => {
  expect(withDiscussed([])).not.toContain(HEADING)
  const off = withDiscussed(['Thursdays'], { ...ALL_ON, enableDiscussions: false })
  expect(off).not.toContain(HEADING)
})
