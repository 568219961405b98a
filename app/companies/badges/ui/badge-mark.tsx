import { BadgeCheck } from 'lucide'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { ShownBadge } from '../badge.contract.ts'
import { BADGE_WAITS, VERIFIED, worksAt } from '../badge-texts.ts'

/** @param waits the author's own, which others don't see yet */
export function PostBadgeMark({ badge, waits, className }: PostBadgeMarkProps) {
  if (badge)
    return (
      <Badge tone="leaf" icon={<Icon of={BadgeCheck} />} className={className}>
        {worksAt(badge.name)}
      </Badge>
    )
  return waits ? (
    <Badge icon={<Icon of={BadgeCheck} />} className={className}>
      {BADGE_WAITS}
    </Badge>
  ) : null
}

export const VerifiedMark = () => (
  <Badge tone="leaf" icon={<Icon of={BadgeCheck} />}>
    {VERIFIED}
  </Badge>
)

interface PostBadgeMarkProps {
  badge: ShownBadge
  waits?: boolean | undefined
  className?: string
}
