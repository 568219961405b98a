import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { copyText } from '#app/kit/ui/share.ts'
import { badgePath, ROOM_HOLDERS_MIN } from '../badge.ts'
import type { StoredBadge } from '../stored-badges.data.ts'

/** A text that brings colleagues to the badge page, so their room opens. */
export function InviteColleagues({ company }: Pick<StoredBadge, 'company'>) {
  const { siteName, roomHoldersMin = ROOM_HOLDERS_MIN } = useSite()
  const invite = () =>
    copyText(
      `${siteName} has a room for people at ${company.name}. It opens once ${roomHoldersMin} of us have a badge, and no one learns who has one. ${location.origin}${badgePath(company.id)}`,
      'Text copied',
    )
  return (
    <>
      <Button variant="secondary" size="sm" onClick={invite}>
        Copy a text for colleagues
      </Button>
      <p>Send it from your own phone, not through anything your employer can read.</p>
    </>
  )
}
