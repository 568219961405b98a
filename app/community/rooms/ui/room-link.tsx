/** The link to a company's room, shown only if this browser has its badge. */
import { DoorOpen } from 'lucide'
import { badgeFor, useBadges } from '#app/companies/badges/stored-badges.data.ts'
import type { CompanyPageView } from '#app/companies/company.contract.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { roomPath, roomTitle } from '../room.ts'

export function RoomLink({ company }: { company: CompanyPageView }) {
  const badges = useBadges(useSessionKey())
  if (!badgeFor(badges, company)) return null
  return (
    <p className="mt-4 flex items-center gap-2 text-sm max-lg:order-3 lg:px-5 print:hidden">
      <Icon of={DoorOpen} className="size-4 shrink-0 text-ink-faint" />
      <a href={roomPath(company)} className={linkClasses}>
        {roomTitle(company.name)}
      </a>
    </p>
  )
}
