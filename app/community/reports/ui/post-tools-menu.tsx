/** Heavy (Base UI): load it with `lazyDialog`. */
import {
  Ban,
  Building2,
  Eye,
  Hourglass,
  ListChecks,
  Lock,
  LockOpen,
  Pin,
  PinOff,
  Trash2,
} from 'lucide'
import { useSession } from '#app/kit/session/session.data.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import {
  Menu,
  MenuItem,
  MenuLink,
  type MenuPopup,
  MenuSeparator,
  whenFocusIsBack,
} from '#app/kit/ui/menu.tsx'
import type { HiddenState } from '../report.ts'

export type PostOrder = 'lock' | 'slow' | 'pin' | 'move' | 'keep' | 'remove' | 'suspend'

export function PostToolsMenu({ thread, isNote, hidden, onOrder, ...popup }: PostToolsMenuProps) {
  const maySuspend = useSession().me?.can.includes('suspendAuthors') ?? false
  const ask = (order: PostOrder) => whenFocusIsBack(popup, () => onOrder(order))
  return (
    <Menu {...popup}>
      {thread && (
        <>
          <MenuItem
            icon={<Icon of={thread.isLocked ? LockOpen : Lock} />}
            onPress={() => (thread.isLocked ? onOrder('lock') : ask('lock'))}
          >
            {thread.isLocked ? 'Unlock' : 'Lock...'}
          </MenuItem>
          <MenuItem
            icon={<Icon of={Hourglass} />}
            onPress={() => (thread.slowMinutes === null ? ask('slow') : onOrder('slow'))}
          >
            {thread.slowMinutes === null ? 'Slow mode...' : 'End slow mode'}
          </MenuItem>
          <MenuItem
            icon={<Icon of={thread.isPinned ? PinOff : Pin} />}
            onPress={() => onOrder('pin')}
          >
            {thread.isPinned ? 'Unpin' : 'Pin'}
          </MenuItem>
          <MenuItem icon={<Icon of={Building2} />} onPress={() => ask('move')}>
            Move to another company...
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      {hidden === 'held' && (
        <MenuItem icon={<Icon of={Eye} />} onPress={() => onOrder('keep')}>
          Show it
        </MenuItem>
      )}
      {hidden !== 'removed' && (
        <MenuItem icon={<Icon of={Trash2} />} onPress={() => ask('remove')}>
          Remove...
        </MenuItem>
      )}
      {!isNote && maySuspend && (
        <MenuItem icon={<Icon of={Ban} />} onPress={() => ask('suspend')}>
          Suspend its author...
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuLink href="/admin/moderation" icon={<Icon of={ListChecks} />}>
        Moderation
      </MenuLink>
    </Menu>
  )
}

type PostToolsMenuProps = MenuPopup & {
  label: string
  thread?: { isLocked: boolean; isPinned: boolean; slowMinutes: number | null }
  /** We can't suspend anyone, because a note's author is unknown. */
  isNote?: boolean
  hidden?: HiddenState
  onOrder: (order: PostOrder) => void
}
