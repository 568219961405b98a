/** What the home page says to who arrives. Spec §1, §2.5. */
import { expect, test } from 'vitest'
import { rendered } from '../../../tests/support/rendered.tsx'
import HomeScreen from './home.screen.tsx'

test('Spec §1, §2.5: the home page invites to spill the tea, and says what one does here', () => {
  const html = rendered(<HomeScreen />)
  for (const text of [
    'Spill the tea and rate your company, anonymously.',
    'Search for a company, join anonymous discussions, and share honest insights about workplace culture with peers.',
    "Can't find your company? Request it here",
  ])
    expect(html).toContain(`>${text}<`)
})
