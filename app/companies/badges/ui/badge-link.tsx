/** On a company's page, for people who work there and don't have its badge. */
import { BadgeCheck } from 'lucide'
import type { CompanyPageView } from '#app/companies/company.contract.ts'
import { useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { badgePath } from '../badge.ts'
import { badgeFor, useBadges } from '../stored-badges.data.ts'

export function BadgeLink({ company }: { company: CompanyPageView }) {
  const badges = useBadges(useSessionKey())
  const isEmployer = useSession().me?.userType === 'employer'
  if (!company.website || isEmployer || badgeFor(badges, company)) return null
  return (
    <p className="flex items-center gap-2 text-sm max-lg:order-3 lg:mt-6 lg:px-5 no-js:hidden print:hidden">
      <Icon of={BadgeCheck} className="size-4 shrink-0 text-ink-faint" />
      <a href={badgePath(company.id)} rel="nofollow" className={linkClasses}>
        Work here? Get a badge
      </a>
    </p>
  )
}
