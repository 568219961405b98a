/** Links to your own pages. Separate from the header's entries, so the first load stays small. */
import {
  Banknote,
  Bell,
  BellRing,
  BriefcaseBusiness,
  Building2,
  ChartColumn,
  Home,
  type IconNode,
  MessagesSquare,
  NotebookPen,
  Settings,
  ShieldCheck,
  UserRound,
} from 'lucide'
import type { Me, SiteConfig } from '#app/kit/session/session.contract.ts'
import { settingsEntry } from '#app/kit/session/settings.tsx'
import type { NavigationEntry } from './navigation.ts'

export const ENTRY_ICONS: Record<string, IconNode> = {
  '/': Home,
  '/companies': Building2,
  '/companies/pay': Banknote,
  '/discussions': MessagesSquare,
  '/jobs': BriefcaseBusiness,
  '/admin-panel': ShieldCheck,
  '/profile': UserRound,
  '/my-discussions': NotebookPen,
  '/settings': Settings,
  '/settings/account': Settings,
  '/notifications': Bell,
  '/alerts': BellRing,
  '/dashboard': ChartColumn,
}

export const accountEntries = (
  { flags }: Pick<SiteConfig, 'flags'>,
  me?: Pick<Me, 'role'>,
): NavigationEntry[] =>
  [
    flags.enableProfile && { href: '/profile', name: 'Profile' },
    flags.enableDiscussions && { href: '/my-discussions', name: 'My discussions' },
    settingsEntry(flags),
    flags.enableNotifications && { href: '/notifications', name: 'Notifications' },
    flags.enableAlerts && { href: '/alerts', name: 'Alerts' },
    flags.enableDashboard && me?.role === 'employer' && { href: '/dashboard', name: 'Dashboard' },
  ].filter((entry) => entry !== false)

/** For people who wrote something without an account. */
export const visitorEntries = (site: Pick<SiteConfig, 'flags'>) =>
  accountEntries(site).filter(({ href }) => href === '/my-discussions' || href === '/notifications')
