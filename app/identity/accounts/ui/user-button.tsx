/** Spec §2.3. */
import { ChevronDown } from 'lucide'
import { useSession } from '#app/kit/session/session.data.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { MenuButton } from '#app/kit/ui/menu-button.tsx'
import { UNNAMED } from '../account.ts'
import { Avatar } from './avatar.tsx'

const UserMenu = lazyDialog(() => import('./user-menu.tsx').then((it) => it.UserMenu))

export function UserButton() {
  const { me } = useSession()
  const name = me?.profile?.username ?? UNNAMED
  return (
    <MenuButton
      preload={UserMenu.preload}
      className="max-w-40 gap-2 lg:max-w-48 pr-2 pl-1.5"
      menu={(popup) => <UserMenu {...popup} />}
    >
      <Avatar name={name} className="size-7 text-[0.6875rem]" />
      <span className="truncate text-ink">{name}</span>
      <Icon of={ChevronDown} className="opacity-60" />
    </MenuButton>
  )
}
