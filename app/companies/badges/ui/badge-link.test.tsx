import { expect, test } from 'vitest'
import type { CompanyPageView } from '#app/companies/company.contract.ts'
import { rendered } from '#tests/support/rendered.tsx'
import { BadgeLink } from './badge-link.tsx'

const ID = '00000000-0000-4000-8000-000000000001'
const link = (website: string | null) =>
  rendered(<BadgeLink company={{ id: ID, website } as CompanyPageView} />)

test('vera finds the badge page from a company, with it already chosen', () => {
  const html = link('https://acme.example')
  expect(html).toContain('Work here? Get a badge')
  expect(html).toContain(`href="/settings/badge?company=${ID}"`)
})

test('a company without a website has no badge, so nothing leads there', () => {
  expect(link(null)).toBe('')
})
