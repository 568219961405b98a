/** Where the menus lead and where the footer stands. Spec §2.2, §2.3. */
import type { SiteConfig } from '../site.contract.ts'

export interface NavigationEntry {
  href: string
  name: string
}

/** The entries whose flag is on, in their order. Spec §2.3. */
export function navigationEntries({ flags }: Pick<SiteConfig, 'flags'>): NavigationEntry[] {
  return [
    flags.enableCompanies && { href: '/companies', name: 'Companies' },
    flags.enableDiscussions && { href: '/discussions', name: 'Discussions' },
    flags.enableJobs && { href: '/jobs', name: 'Jobs' },
  ].filter((entry) => entry !== false)
}

/** The entry whose path matches or prefixes the current path is highlighted. Spec §2.3. */
export const isCurrentEntry = (href: string, path: string) =>
  path === href || path.startsWith(`${href}/`)

/** Only on /, /companies, paths that start with /admin and paths that contain /edit. Spec §2.2. */
export const hasFooter = (path: string) =>
  path === '/' || path === '/companies' || path.startsWith('/admin') || path.includes('/edit')

/** Which view of the auth dialog was asked for, and where to go afterwards. Spec §2.3. */
export interface AuthRequest {
  view: 'login' | 'signup'
  redirect: string
}
