/** Heavy (Base UI): load it with `lazyDialog`. */
import { Bell, BellOff, Flag, type IconNode, Pencil, Quote, Share2, Trash2 } from 'lucide'
import { Icon } from '#app/kit/ui/icon.tsx'
import { Menu, MenuItem, type MenuPopup, whenFocusIsBack } from '#app/kit/ui/menu.tsx'

type Order = 'quote' | 'share' | 'edit' | 'delete' | 'report' | 'mute' | 'unmute'
export type PostOrders = Partial<Record<Order, () => void>>

const ITEMS: Record<Order, { name: string; icon: IconNode }> = {
  quote: { name: 'Quote', icon: Quote },
  share: { name: 'Share', icon: Share2 },
  edit: { name: 'Edit', icon: Pencil },
  delete: { name: 'Delete', icon: Trash2 },
  report: { name: 'Report', icon: Flag },
  mute: { name: 'Mute this thread', icon: BellOff },
  unmute: { name: 'Unmute this thread', icon: Bell },
}

export function PostMenu({ orders, ...popup }: MenuPopup & { label: string; orders: PostOrders }) {
  return (
    <Menu {...popup}>
      {(Object.keys(ITEMS) as Order[]).map((order) => {
        const give = orders[order]
        const { name, icon } = ITEMS[order]
        return (
          give && (
            <MenuItem
              key={order}
              icon={<Icon of={icon} />}
              onPress={() => whenFocusIsBack(popup, give)}
            >
              {name}
            </MenuItem>
          )
        )
      })}
    </Menu>
  )
}
