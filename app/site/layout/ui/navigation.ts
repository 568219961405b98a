/** Where the menus lead and where the footer stands. Spec §2.2, §2.3. */

import type { Me } from '#app/kit/session/me.contract.ts'
import { maySee } from '#app/kit/session/session.data.ts'
import type { SiteConfig } from '#app/kit/session/site.contract.ts'

export interface NavigationEntry {
  href: string
  name: string
}

/** Until it is known who is here the styles hide from employers what `maySee` keeps from them. */
export const entryLook = (href: string) => (href === '/discussions' ? 'employer:hidden' : undefined)

/** The entries whose flag is on, in their order; employers go without discussions. Spec §2.3, §6. */
export function navigationEntries(
  { flags }: Pick<SiteConfig, 'flags'>,
  me?: Pick<Me, 'can'>,
): NavigationEntry[] {
  return [
    flags.enableCompanies && { href: '/companies', name: 'Companies' },
    flags.enableDiscussions &&
      maySee('seeDiscussionsLink', me) && { href: '/discussions', name: 'Discussions' },
    flags.enableJobs && { href: '/jobs', name: 'Jobs' },
  ].filter((entry) => entry !== false)
}

/** The entry whose path matches or prefixes the current path is highlighted. Spec §2.3. */
export const isCurrentEntry = (href: string, path: string) =>
  path === href || path.startsWith(`${href}/`)

/** Only on /, /companies, paths that start with /admin and paths that contain /edit. Spec §2.2. */
export const hasFooter = (path: string) =>
  path === '/' || path === '/companies' || path.startsWith('/admin') || path.includes('/edit')
