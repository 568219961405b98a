/** The drawer on small screens, titled Menu. Spec §2.3. */

import { useQuery } from '@tanstack/react-query'
import { LogOut, Moon, Sun } from 'lucide'
import { type ReactNode, useId } from 'react'
import { useApi } from '#app/api/client.ts'
import { Avatar } from '#app/identity/accounts/ui/avatar.tsx'
import { useSignOut } from '#app/identity/accounts/ui/use-sign-out.ts'
import {
  type AuthRequest,
  type Session,
  useReader,
  useSession,
} from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { CountBadge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Drawer } from '#app/kit/ui/drawer.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { useTheme } from '#app/kit/ui/theme.ts'
import type { NotificationContract } from '#app/moderation/notifications/notification.contract.ts'
import { unreadQuery } from '#app/moderation/notifications/notification.data.ts'
import { shownUnread } from '#app/moderation/notifications/notification.ts'
import { SITE_PAGES } from '../site-pages.ts'
import { accountEntries, ENTRY_ICONS, visitorEntries } from './account-entries.ts'
import {
  entryClasses,
  isCurrentEntry,
  type NavigationEntry,
  navigationEntries,
} from './navigation.ts'

export function MobileMenu({ open, onOpenChange, onAuth, onContact }: MobileMenuProps) {
  const site = useSite()
  const { status, me } = useSession()
  const reader = useReader()
  const close = () => onOpenChange(false)
  const isSignedIn = status === 'signed-in'
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title="Menu">
      {status === 'loading' && <Skeleton className="h-11 w-full" />}
      {isSignedIn && <Person me={me} />}
      {status === 'signed-out' && (
        <div className="grid grid-cols-2 gap-3">
          <Button onClick={() => onAuth('signup')}>Sign Up</Button>
          <Button variant="secondary" onClick={() => onAuth('login')}>
            Log In
          </Button>
        </div>
      )}
      <Links
        title={isSignedIn ? 'Navigation' : 'Navigate'}
        entries={[{ href: '/', name: 'Home' }, ...navigationEntries(site, me)]}
        onFollow={close}
      />
      {/* People who still need a second factor get the link, too, because the page says how to set one up. */}
      {(me?.can.includes('openAdminPanel') || me?.needsSecondFactor) && (
        <Links
          title="Administration"
          entries={[{ href: '/admin-panel', name: 'Admin Panel' }]}
          onFollow={close}
        />
      )}
      {me?.role === 'moderator' && (
        <Links
          title="Administration"
          entries={[{ href: '/admin/moderation', name: 'Moderation' }]}
          onFollow={close}
        />
      )}
      {isSignedIn && <Links title="Account" entries={accountEntries(site, me)} onFollow={close} />}
      {status === 'signed-out' && reader && (
        <Links title="In this browser" entries={visitorEntries(site)} onFollow={close} />
      )}
      {isSignedIn ? (
        <div className="mt-4 -mx-3 border-t border-line pt-4">
          <ThemeRow />
          <SignOutRow onLeft={close} />
        </div>
      ) : (
        <Part title="Settings">
          <ThemeRow />
        </Part>
      )}
      <Part title="About">
        <ul className="flex flex-wrap gap-x-5 px-3 text-sm">
          {SITE_PAGES.map(({ href, short }) => (
            <li key={href}>
              <a href={href} onClick={close} className={aboutClasses}>
                {short}
              </a>
            </li>
          ))}
          <li>
            <button type="button" onClick={onContact} className={aboutClasses}>
              Contact
            </button>
          </li>
        </ul>
      </Part>
    </Drawer>
  )
}

function Person({ me }: Pick<Session, 'me'>) {
  const name = me?.profile?.username || me?.email || 'User'
  return (
    <p className="flex items-center gap-3">
      <Avatar name={name} className="size-11 text-sm" />
      <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</span>
    </p>
  )
}

function Links({ title, entries, onFollow }: LinksProps) {
  const { path } = useAddress()
  if (entries.length === 0) return null
  return (
    <Part title={title} isNavigation>
      <ul>
        {entries.map(({ href, name }) => {
          const icon = ENTRY_ICONS[href]
          const isCurrent = href === '/' ? path === '/' : isCurrentEntry(href, path)
          return (
            <li key={href} className={entryClasses(href)}>
              <a
                href={href}
                onClick={onFollow}
                aria-current={isCurrent ? 'page' : undefined}
                className={cx(rowClasses, isCurrent ? 'bg-tea-soft text-tea-strong' : 'text-ink')}
              >
                {icon && <Icon of={icon} className="size-5 opacity-70" />}
                {name}
                {href === '/notifications' && <Unread />}
              </a>
            </li>
          )
        })}
      </ul>
    </Part>
  )
}

/** Reads the bell's count without fetching. */
function Unread() {
  const api = useApi<NotificationContract>()
  const unread = useQuery({ ...unreadQuery(api, useReader() ?? ''), enabled: false }).data?.unread
  if (!unread) return null
  return (
    <CountBadge what="unread" className="ml-auto">
      {shownUnread(unread)}
    </CountBadge>
  )
}

function Part({ title, isNavigation, children }: PartProps) {
  const id = useId()
  const Frame = isNavigation ? 'nav' : 'section'
  return (
    <Frame aria-labelledby={id} className="mt-7">
      <h3 id={id} className="text-xs font-semibold tracking-wide text-ink-faint uppercase">
        {title}
      </h3>
      <div className="mt-2 -mx-3">{children}</div>
    </Frame>
  )
}

function ThemeRow() {
  const { theme, setTheme } = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <button type="button" onClick={() => setTheme(other)} className={buttonRowClasses}>
      <Icon of={theme === 'dark' ? Sun : Moon} className="size-5 opacity-70" />
      {`Switch to ${other} mode`}
    </button>
  )
}

function SignOutRow({ onLeft }: { onLeft: () => void }) {
  const { isBusy, leave } = useSignOut({ inDrawer: true })
  return (
    <button
      type="button"
      disabled={isBusy}
      onClick={() => leave().then(onLeft)}
      className={cx(buttonRowClasses, 'disabled:cursor-not-allowed disabled:opacity-60')}
    >
      <Icon of={LogOut} className="size-5 opacity-70" />
      {isBusy ? 'Signing out...' : 'Sign Out'}
    </button>
  )
}

const rowClasses =
  'flex h-12 items-center gap-3 rounded-md px-3 text-[0.9375rem] font-medium transition-colors'
const aboutClasses = 'inline-flex min-h-11 items-center text-ink-soft hover:text-ink'
const buttonRowClasses = cx(rowClasses, 'w-full text-left text-ink hover:bg-sunken')

type MobileMenuProps = OpenProps & {
  onAuth: (view: AuthRequest['view']) => void
  onContact: () => void
}
interface LinksProps {
  title: string
  entries: NavigationEntry[]
  onFollow: () => void
}
interface PartProps {
  title: string
  isNavigation?: boolean
  children: ReactNode
}
