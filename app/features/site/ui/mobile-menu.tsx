/** The drawer of small screens, titled Menu. Spec §2.3, signed out. */
import {
  BriefcaseBusiness,
  Building2,
  Home,
  type IconNode,
  MessagesSquare,
  Moon,
  Sun,
} from 'lucide'
import { useAddress } from '../../../ui/address.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Drawer } from '../../../ui/drawer.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { OpenProps } from '../../../ui/openable.tsx'
import { useTheme } from '../../../ui/theme.ts'
import { useSite } from '../site.data.ts'
import { type AuthRequest, isCurrentEntry, navigationEntries } from './navigation.ts'

const ICONS: Record<string, IconNode> = {
  '/': Home,
  '/companies': Building2,
  '/discussions': MessagesSquare,
  '/jobs': BriefcaseBusiness,
}

export function MobileMenu({ open, onOpenChange, onAuth }: MobileMenuProps) {
  const site = useSite()
  const { path } = useAddress()
  const { theme, setTheme } = useTheme()
  const close = () => onOpenChange(false)
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title="Menu">
      <div className="grid grid-cols-2 gap-3">
        <Button onClick={() => onAuth('signup')}>Sign Up</Button>
        <Button variant="secondary" onClick={() => onAuth('login')}>
          Log In
        </Button>
      </div>
      <nav aria-labelledby="menu-navigate" className="mt-7">
        <h3 id="menu-navigate" className={sectionLook}>
          Navigate
        </h3>
        <ul className="mt-2 -mx-3">
          {[{ href: '/', name: 'Home' }, ...navigationEntries(site)].map(({ href, name }) => {
            const icon = ICONS[href]
            const isCurrent = href === '/' ? path === '/' : isCurrentEntry(href, path)
            return (
              <li key={href}>
                <a
                  href={href}
                  onClick={close}
                  aria-current={isCurrent ? 'page' : undefined}
                  className={cx(rowLook, isCurrent ? 'bg-tea-soft text-tea-strong' : 'text-ink')}
                >
                  {icon && <Icon of={icon} className="size-5 opacity-70" />}
                  {name}
                </a>
              </li>
            )
          })}
        </ul>
      </nav>
      <section aria-labelledby="menu-settings" className="mt-7">
        <h3 id="menu-settings" className={sectionLook}>
          Settings
        </h3>
        <div className="mt-2 -mx-3">
          <button
            type="button"
            onClick={() => setTheme(other)}
            className={cx(rowLook, 'w-full text-left text-ink hover:bg-sunken')}
          >
            {theme === 'dark' ? (
              <Icon of={Sun} className="size-5 opacity-70" />
            ) : (
              <Icon of={Moon} className="size-5 opacity-70" />
            )}
            {`Switch to ${other} mode`}
          </button>
        </div>
      </section>
    </Drawer>
  )
}

const sectionLook = 'text-xs font-semibold tracking-wide text-ink-faint uppercase'
const rowLook =
  'flex h-12 items-center gap-3 rounded-md px-3 text-[0.9375rem] font-medium transition-colors'

type MobileMenuProps = OpenProps & { onAuth: (view: AuthRequest['view']) => void }
