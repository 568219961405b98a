/** The pages someone may see, findable by synonyms too. */
import { FileText, type IconNode } from 'lucide'
import { foldLetters } from '#app/companies/search/company-keys.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import type { Session } from '#app/kit/session/session.data.ts'
import { SITE_PAGES } from '../../site-pages.ts'
import { accountEntries, ENTRY_ICONS } from '../../ui/account-entries.ts'
import { type NavigationEntry, navigationEntries } from '../../ui/navigation.ts'

interface FinderPage extends NavigationEntry {
  icon: IconNode
  words: string
}

const OTHER_WORDS: Record<string, string> = {
  '/': 'start',
  '/companies': 'employers list compare',
  '/discussions': 'threads talk forum',
  '/jobs': 'work openings positions',
  '/create-thread': 'write post new',
  '/profile': 'account username me',
  '/my-discussions': 'threads comments saved drafts own',
  '/settings': 'account password email sessions',
  '/settings/account': 'settings data export delete leave',
  '/notifications': 'news bell',
  '/alerts': 'follow mails',
  '/admin-panel': 'administration',
  '/admin/moderation': 'queue reports cases',
  '/admin-tracking': 'analytics clicks views',
  '/admin-tools': 'scraper import',
  '/anonymity': 'privacy secret',
  '/community-rules': 'guidelines allowed forbidden',
  '/how-moderation-decides': 'reports removed appeal',
  '/privacy': 'data cookies policy',
  '/terms': 'rules legal conditions',
  '/about': 'us press contact',
}

export function finderPages(
  site: Pick<SiteConfig, 'flags'>,
  { status, me }: Session,
): FinderPage[] {
  const { enableDiscussions } = site.flags
  const may = (name: string) => me?.can.includes(name) === true
  const pages = [
    { href: '/', name: 'Home' },
    ...navigationEntries(site, status === 'loading' ? { can: [] } : me),
    ...(status === 'signed-in'
      ? accountEntries(site, me)
      : // Visitors write, too.
        (enableDiscussions && [{ href: '/my-discussions', name: 'My discussions' }]) || []),
    may('openAdminPanel') && { href: '/admin-panel', name: 'Admin Panel' },
    may('moderate') && { href: '/admin/moderation', name: 'Moderation' },
    may('openTracking') && { href: '/admin-tracking', name: 'Company Interaction Tracking' },
    may('runAdminTools') && { href: '/admin-tools', name: 'Admin Tools' },
    ...SITE_PAGES,
  ].filter((page) => page !== false)
  return pages.map(({ href, name }) => ({
    href,
    name,
    icon: ENTRY_ICONS[href] ?? FileText,
    words: `${name} ${OTHER_WORDS[href] ?? ''}`,
  }))
}

const wordsOf = (text: string) =>
  foldLetters(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Whether each typed word begins a word of `name`. An empty text matches everything. */
export function readsLike(name: string, typed: string): boolean {
  const words = wordsOf(name)
  const wanted = wordsOf(typed)
  // Punctuation alone matches nothing.
  if (wanted.length === 0) return typed.trim() === ''
  return wanted.every((part) => words.some((word) => word.startsWith(part)))
}
