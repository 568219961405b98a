/** What the home page says to who arrives. Spec §1, §2.5. */
import { expect, test, vi } from 'vitest'
import { rendered } from '../../../tests/support/rendered.tsx'
import { dana } from '../../../tests/support/views.ts'
import type { Session } from '../../session/session.data.ts'
import HomeScreen from './home.screen.tsx'

const here: { session: Session } = { session: { status: 'signed-out' } }
vi.mock('../../session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  useSession: () => here.session,
}))

test('Spec §1, §2.5: the home page invites to spill the tea, and says what one does here', () => {
  const html = rendered(<HomeScreen />)
  for (const text of [
    'Spill the tea and rate your company, anonymously.',
    'Search for a company, join anonymous discussions, and share honest insights about workplace culture with peers.',
    "Can't find your company? Request it here",
  ])
    expect(html).toContain(`>${text}<`)
})

test('Spec §1, §6: the company search is there for everybody but employers, who find the list', () => {
  const box = 'Search for a company...'
  expect(rendered(<HomeScreen />)).toContain(box)
  here.session = { status: 'signed-in', me: { ...dana, can: ['seeCompanySearch'] } }
  expect(rendered(<HomeScreen />)).toContain(box)
  here.session = { status: 'signed-in', me: { ...dana, userType: 'employer', can: [] } }
  const employers = rendered(<HomeScreen />)
  expect(employers).not.toContain(box)
  expect(employers.match(/<a href="\/companies"[^>]*>Browse all companies<\/a>/g)).toHaveLength(2)
})
