/** The menus' entries, and which pages have the footer. Spec §2.2, §2.3. */

import type { Me, SiteConfig } from '#app/kit/session/session.contract.ts'
import { maySee } from '#app/kit/session/session.data.ts'

export interface NavigationEntry {
  href: string
  name: string
}

/** Until the session is known, CSS hides from employers what `maySee` would. */
export const entryClasses = (href: string) =>
  href === '/discussions' ? 'employer:hidden' : undefined

/** Entries whose flag is on. Employers don't see discussions. Spec §2.3, §6. */
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

export const isCurrentEntry = (href: string, path: string) =>
  path === href || path.startsWith(`${href}/`)

/** Spec §2.2. */
export const hasFooter = (path: string) =>
  path === '/' || path === '/companies' || path.startsWith('/admin') || path.includes('/edit')
