import { useSessionKey } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { Checkbox } from '#app/kit/ui/field.tsx'
import type { PostBadge } from '../badge.contract.ts'
import { type BadgedPost, badgeShows } from '../badge.ts'
import { badgesOf, useBadges } from '../stored-badges.data.ts'
import { worksAt } from './badge-mark.tsx'

/** Renders nothing without a badge. @param value domain of the chosen one */
export function BadgeChoice({ value, onChange }: BadgeChoiceProps) {
  const { badgeHoldersMin } = useSite()
  return useBadges(useSessionKey()).map(({ domain, company }) => (
    <Checkbox
      key={domain}
      label={`Show “${worksAt(company.name)}” next to it`}
      hint={`${badgeShows(badgeHoldersMin)}.`}
      checked={value === domain}
      onChange={({ target }) => onChange(target.checked ? domain : undefined)}
    />
  ))
}

interface BadgeChoiceProps {
  value: string | undefined
  onChange: (domain: string | undefined) => void
}

/**
 * Proves the badge chosen for a post. Loads the curve on first use. @returns undefined if no badge
 * was chosen, or it has been forgotten since
 */
export async function badgeOf(
  sessionKey: string,
  domain: string | undefined,
  post: BadgedPost,
): Promise<PostBadge | undefined> {
  const badge = badgesOf(sessionKey).find((it) => it.domain === domain)
  if (!badge) return
  const { badgeBeside } = await import('../presenting-badge.data.ts')
  return badgeBeside(badge, post)
}
