/** Before a room opens: why it isn't open, and a text that gets more colleagues to it. */
import { InviteColleagues } from '#app/companies/badges/ui/invite-colleagues.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { EmptyState } from '#app/kit/ui/message.tsx'
import type { RoomAccess } from '../room.data.ts'
import { ROOM_TEXTS } from '../room.ts'

export const ClosedRoom = ({ access, isHeading }: ClosedRoomProps) => (
  <EmptyState
    isHeading={isHeading}
    title={ROOM_TEXTS.closedTitle}
    text={ROOM_TEXTS.closedText(useSite().roomHoldersMin)}
    action={
      <div className="grid justify-items-center gap-3 text-sm leading-6 text-ink-soft">
        <InviteColleagues company={access.badge.company} />
      </div>
    }
  />
)

interface ClosedRoomProps {
  access: RoomAccess
  isHeading?: boolean
}
