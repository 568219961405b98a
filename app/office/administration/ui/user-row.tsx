import { useState } from 'react'
import { UNNAMED } from '#app/identity/accounts/account.ts'
import { Avatar } from '#app/identity/accounts/ui/avatar.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { MenuButton } from '#app/kit/ui/menu-button.tsx'
import type { User } from '../administration.contract.ts'
import type { UserAct } from '../administration.ts'

const UserMenu = lazyDialog(() => import('./user-menu.tsx').then((it) => it.UserMenu))
const UserActDialog = lazyDialog(() =>
  import('./user-act-dialog.tsx').then((it) => it.UserActDialog),
)

const ROLE_NAMES = {
  owner: 'Owner',
  admin: 'Administrator',
  moderator: 'Moderator',
  employer: 'Employer',
} as const

export function UserRow({ user, onGone }: { user: User; onGone: () => void }) {
  const { username, address, role, acts } = user
  const name = username ?? UNNAMED
  const [asking, setAsking] = useState(false)
  // Kept while the dialog closes.
  const [act, setAct] = useState<UserAct>('suspend')
  return (
    <article className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="flex min-w-0 items-center gap-3">
        <Avatar name={name} />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 leading-6">
            <strong className="font-semibold break-all text-ink">{name}</strong>
            {role in ROLE_NAMES && (
              <Badge tone="tea">{ROLE_NAMES[role as keyof typeof ROLE_NAMES]}</Badge>
            )}
            {user.isMe && <Badge>You</Badge>}
            {user.isSuspended && <Badge tone="danger">Suspended</Badge>}
            {!user.isConfirmed && <Badge>Not confirmed</Badge>}
          </p>
          <p className="text-sm leading-6 break-all text-ink-faint">
            {`${address} · since ${dateText(user.joined)}`}
          </p>
        </div>
      </div>
      {acts.length > 0 && (
        <MenuButton
          variant="secondary"
          size="sm"
          aria-label={`Manage ${name}`}
          preload={UserMenu.preload}
          menu={(popup) => (
            <UserMenu
              {...popup}
              label={`Manage ${name}`}
              acts={acts}
              onChoose={(chosen) => {
                setAct(chosen)
                setAsking(true)
              }}
            />
          )}
        >
          Manage
        </MenuButton>
      )}
      <UserActDialog
        key={act}
        open={asking}
        onOpenChange={setAsking}
        user={user}
        act={act}
        onGone={onGone}
      />
    </article>
  )
}
