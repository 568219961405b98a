/** The menu is heavy (Base UI), so load it with `lazyDialog`. */
import { Bell, BellOff, Flag, type IconNode, Pencil, Quote, Share2, Trash2 } from 'lucide'
import { Icon } from '#app/kit/ui/icon.tsx'
import { Menu, MenuItem, type MenuPopup, whenFocusIsBack } from '#app/kit/ui/menu.tsx'

type PostAction = 'quote' | 'share' | 'edit' | 'delete' | 'report' | 'mute' | 'unmute'
export type PostActions = Partial<Record<PostAction, () => void>>

const ITEMS: Record<PostAction, { name: string; icon: IconNode }> = {
  quote: { name: 'Quote', icon: Quote },
  share: { name: 'Share', icon: Share2 },
  edit: { name: 'Edit', icon: Pencil },
  delete: { name: 'Delete', icon: Trash2 },
  report: { name: 'Report', icon: Flag },
  mute: { name: 'Mute this thread', icon: BellOff },
  unmute: { name: 'Unmute this thread', icon: Bell },
}

export function PostMenu({
  actions,
  ...popup
}: MenuPopup & { label: string; actions: PostActions }) {
  return (
    <Menu {...popup}>
      {(Object.keys(ITEMS) as PostAction[]).map((action) => {
        const run = actions[action]
        const { name, icon } = ITEMS[action]
        return (
          run && (
            <MenuItem
              key={action}
              icon={<Icon of={icon} />}
              onPress={() => whenFocusIsBack(popup, run)}
            >
              {name}
            </MenuItem>
          )
        )
      })}
    </Menu>
  )
}
