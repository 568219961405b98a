/** The "About" menu: the site's own pages and the contact form. Heavy (Base UI): load it with `lazyDialog`. */
import {
  Menu,
  MenuItem,
  MenuLink,
  type MenuPopup,
  MenuSeparator,
  whenFocusIsBack,
} from '#app/kit/ui/menu.tsx'
import { SITE_PAGES } from '../site-pages.ts'

export function AboutMenu({ onContact, ...popup }: MenuPopup & { onContact: () => void }) {
  return (
    <Menu {...popup} label="About">
      {SITE_PAGES.map(({ href, name }) => (
        <MenuLink key={href} href={href}>
          {name}
        </MenuLink>
      ))}
      <MenuSeparator />
      <MenuItem onPress={() => whenFocusIsBack(popup, onContact)}>Contact Us</MenuItem>
    </Menu>
  )
}
