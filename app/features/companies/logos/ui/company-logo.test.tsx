/** What stands for a logo that cannot be shown. Spec §2.6; decision 19. */
import { renderToString } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { CompanyLogo } from './company-logo.tsx'

/** The picture did not load, as the card sees it. */
const here = vi.hoisted(() => ({ isBroken: false }))
vi.mock('react', async (original) => {
  const react = await original<typeof import('react')>()
  return { ...react, useState: () => react.useState(here.isBroken) }
})
beforeEach(() => {
  here.isBroken = false
})

test('Spec §2.6: a broken picture gives way to the generic icon, a missing one to the initials', () => {
  const logo = (logoUrl: string | null) =>
    renderToString(<CompanyLogo name="Acme Teapots" logoUrl={logoUrl} />)
  expect(logo('/logos/x.webp')).toContain('<img src="/logos/x.webp"')
  here.isBroken = true
  expect(logo('/logos/x.webp')).toMatch(/^<span [^>]*><svg /)
  expect(logo('/logos/x.webp')).not.toMatch(/<img|>AT</)
  expect(logo(null)).toContain('>AT<')
})
