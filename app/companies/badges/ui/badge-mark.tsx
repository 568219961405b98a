import { BadgeCheck } from 'lucide'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { ShownBadge } from '../badge.contract.ts'

export const worksAt = (company: string) => `Works at ${company}`

/** @param waits the author's own badge, which others can't see yet */
export function PostBadgeMark({ badge, waits, className }: PostBadgeMarkProps) {
  if (badge)
    return (
      <Badge tone="leaf" icon={<Icon of={BadgeCheck} />} className={className}>
        {worksAt(badge.name)}
      </Badge>
    )
  return waits ? (
    <Badge icon={<Icon of={BadgeCheck} />} className={className}>
      Badge: not enough colleagues yet
    </Badge>
  ) : null
}

export const VerifiedMark = () => (
  <Badge tone="leaf" icon={<Icon of={BadgeCheck} />}>
    Verified employee
  </Badge>
)

interface PostBadgeMarkProps {
  badge: ShownBadge
  waits?: boolean | undefined
  className?: string
}
