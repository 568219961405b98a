/** The header's button of a signed-in person, which opens the user menu. Spec §2.3. */
import { ChevronDown } from 'lucide'
import { useSession } from '../../../session/session.data.ts'
import { Icon } from '../../../ui/icon.tsx'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { type OpenProps, openable } from '../../../ui/openable.tsx'
import { UNNAMED } from '../account.ts'
import { Avatar } from './avatar.tsx'

const UserMenu = openable(() => import('./user-menu.tsx').then((it) => it.UserMenu))

/** It is there while `open`: the openable brings its code when somebody is signed in. */
export function UserButton({ open }: OpenProps) {
  const { me } = useSession()
  const name = me?.profile?.username ?? UNNAMED
  return (
    open && (
      <MenuButton
        warm={UserMenu.warm}
        className="max-w-52 gap-2 pr-2 pl-1.5"
        menu={(popup) => <UserMenu {...popup} />}
      >
        <Avatar name={name} className="size-7 text-[0.6875rem]" />
        <span className="truncate text-ink">{name}</span>
        <Icon of={ChevronDown} className="opacity-60" />
      </MenuButton>
    )
  )
}
