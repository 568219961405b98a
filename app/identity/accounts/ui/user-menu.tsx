/** Spec §2.3. Heavy (Base UI): load it with `lazyDialog`. */
import {
  BellRing,
  ChartColumn,
  CircleUserRound,
  ListChecks,
  LogOut,
  Moon,
  NotebookPen,
  Settings,
  ShieldCheck,
  Sun,
  UserRound,
} from 'lucide'
import { useSession } from '#app/kit/session/session.data.ts'
import { settingsPath } from '#app/kit/session/settings.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { Menu, MenuItem, MenuLink, type MenuPopup, MenuSeparator } from '#app/kit/ui/menu.tsx'
import { useTheme } from '#app/kit/ui/theme.ts'
import { UNNAMED } from '../account.ts'
import { SIGNING_OUT } from '../sign-in/own-sign-in.data.ts'
import { useSignOut } from './use-sign-out.ts'

export function UserMenu(popup: MenuPopup) {
  const { flags } = useSite()
  const { me } = useSession()
  const { theme, setTheme } = useTheme()
  const { isBusy, leave } = useSignOut({ inDrawer: false })
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <Menu {...popup} label={me?.profile?.username ?? UNNAMED}>
      {me?.email && (
        <>
          <p className="max-w-64 truncate px-3 pt-1.5 pb-1 text-xs text-ink-faint">{me.email}</p>
          <MenuSeparator />
        </>
      )}
      <MenuLink href={`${settingsPath(flags)}#account`} icon={<Icon of={CircleUserRound} />}>
        My Account
      </MenuLink>
      {flags.enableProfile && (
        <MenuLink href="/profile" icon={<Icon of={UserRound} />}>
          Profile
        </MenuLink>
      )}
      {flags.enableDiscussions && (
        <MenuLink href="/my-discussions" icon={<Icon of={NotebookPen} />}>
          My discussions
        </MenuLink>
      )}
      {flags.enableAlerts && (
        <MenuLink href="/alerts" icon={<Icon of={BellRing} />}>
          Alerts
        </MenuLink>
      )}
      {flags.enableSettings && (
        <MenuLink href="/settings" icon={<Icon of={Settings} />}>
          Settings
        </MenuLink>
      )}
      {me?.role === 'employer' && flags.enableDashboard && (
        <MenuLink href="/dashboard" icon={<Icon of={ChartColumn} />}>
          Dashboard
        </MenuLink>
      )}
      {/* The panel tells people without a second factor how to set one up. */}
      {(me?.can.includes('openAdminPanel') || me?.needsSecondFactor) && (
        <MenuLink href="/admin-panel" icon={<Icon of={ShieldCheck} />}>
          Admin Panel
        </MenuLink>
      )}
      {me?.role === 'moderator' && (
        <MenuLink href="/admin/moderation" icon={<Icon of={ListChecks} />}>
          Moderation
        </MenuLink>
      )}
      <MenuSeparator />
      <MenuItem
        staysOpen
        icon={<Icon of={theme === 'dark' ? Sun : Moon} />}
        onPress={() => setTheme(other)}
      >
        {other === 'dark' ? 'Dark mode' : 'Light mode'}
      </MenuItem>
      <MenuItem staysOpen icon={<Icon of={LogOut} />} disabled={isBusy} onPress={leave}>
        {isBusy ? SIGNING_OUT : 'Log out'}
      </MenuItem>
    </Menu>
  )
}
