/** Load it with `lazyDialog`. */
import { Ban, ShieldMinus, ShieldPlus, Trash2, Undo2, UserRoundMinus, UserRoundPlus } from 'lucide'
import { Icon } from '#app/kit/ui/icon.tsx'
import { Menu, MenuItem, type MenuPopup } from '#app/kit/ui/menu.tsx'
import { USER_ACT_TEXTS, type UserAct } from '../administration.ts'

const ICONS = {
  grant: ShieldPlus,
  revoke: ShieldMinus,
  'grant-moderator': UserRoundPlus,
  'revoke-moderator': UserRoundMinus,
  suspend: Ban,
  unsuspend: Undo2,
  delete: Trash2,
}

export function UserMenu({ acts, onChoose, ...menu }: UserMenuProps) {
  return (
    <Menu {...menu}>
      {acts.map((act) => (
        <MenuItem
          key={act}
          icon={<Icon of={ICONS[act]} />}
          isDanger={act === 'delete'}
          onPress={() => onChoose(act)}
        >
          {USER_ACT_TEXTS[act].button}
        </MenuItem>
      ))}
    </Menu>
  )
}

type UserMenuProps = MenuPopup & {
  label: string
  acts: readonly UserAct[]
  onChoose: (act: UserAct) => void
}
