import type { KeptBadge } from '#app/companies/badges/kept-badges.data.ts'
import type { CompanyPageView } from '#app/companies/company.contract.ts'

/** Two companies of one domain share a room, and a badge for either opens it. */
export function badgeFor(
  badges: KeptBadge[],
  { id, website }: Pick<CompanyPageView, 'id' | 'website'>,
) {
  const host = website && URL.canParse(website) ? new URL(website).hostname : ''
  return (
    badges.find(({ company }) => company.id === id) ??
    badges.find(({ domain }) => host === domain || host.endsWith(`.${domain}`))
  )
}
