/**
 * What stands on the panel and where it leads. Spec §2.10 to the letter; `more` is what the panel
 * promises beyond it. Runs in the browser too: no I/O here.
 */

export const TABS = {
  navigation: 'Navigation',
  tools: 'Admin Tools',
  content: 'Content',
  analytics: 'Analytics',
} as const
export type Tab = keyof typeof TABS

/** A part of the panel with an address of its own, under its tab. */
export const SECTIONS = {
  users: { tab: 'tools', title: 'User Management' },
  claims: { tab: 'tools', title: 'Employer claims' },
  data: { tab: 'tools', title: 'Data Management' },
  log: { tab: 'tools', title: 'Audit log' },
  edits: { tab: 'content', title: 'Suggested changes' },
} as const satisfies Record<string, { tab: Tab; title: string }>
export type Section = keyof typeof SECTIONS

const isTab = (name: string): name is Tab => Object.hasOwn(TABS, name)
const isSection = (name: string): name is Section => Object.hasOwn(SECTIONS, name)

/** What an address asks for, by its `section`: a tab, or a part under one. Anything else is the first tab. */
export function panelItemOf(search: string): { tab: Tab; section?: Section } {
  const name = new URLSearchParams(search).get('section') ?? ''
  if (isSection(name)) return { tab: SECTIONS[name].tab, section: name }
  return { tab: isTab(name) ? name : 'navigation' }
}

/** Below the path at which the panel was opened: it has two. */
export const panelHref = (path: string, name: Tab | Section) =>
  name === 'navigation' ? path : `${path}?section=${name}`

/** Where the panel finds an account by its username. */
export const userHref = (username: string) =>
  `/admin?section=users&name=${encodeURIComponent(username)}`

export interface Entry {
  title: string
  text: string
  href: string
  /** Opens in a new tab. */
  isNew?: boolean
  /** The part of the site that it leads to. */
  flag?: 'enableCompanies' | 'enableDiscussions'
}

/** Stands on the panel itself instead of behind a link. */
export interface Embedded {
  title: string
  text: string
  embedded: 'requests' | 'messages'
}

export const ENTRIES: Record<Tab, (Entry | Embedded)[]> = {
  navigation: [
    { title: 'Home', text: 'Where everybody begins', href: '/' },
    {
      title: 'Companies',
      text: 'All companies, with search and filters',
      href: '/companies',
      flag: 'enableCompanies',
    },
    {
      title: 'Discussions',
      text: 'What people talk about',
      href: '/discussions',
      flag: 'enableDiscussions',
    },
  ],
  tools: [
    {
      title: 'User Management',
      text: 'Find, appoint, suspend, delete',
      href: '/admin?section=users',
      isNew: true,
    },
    {
      title: 'Company Requests',
      text: 'Companies that people miss',
      embedded: 'requests',
    },
    {
      title: 'Contact Messages',
      text: 'What people wrote to the site',
      embedded: 'messages',
    },
    {
      title: 'Analytics Tracking',
      text: 'Which companies are chosen',
      href: '/admin-tracking',
      isNew: true,
    },
    {
      title: 'Data Management',
      text: 'Import, settings and build of this site',
      href: '/admin?section=data',
      isNew: true,
    },
  ],
  content: [
    {
      title: 'Manage Companies',
      text: 'Change them from their pages',
      href: '/companies',
      flag: 'enableCompanies',
    },
    {
      title: 'Moderate Discussions',
      text: 'Moderate threads where they stand',
      href: '/discussions',
      flag: 'enableDiscussions',
    },
  ],
  analytics: [
    {
      title: 'User Activity Report',
      text: 'What people chose lately',
      href: '/admin-tracking',
      isNew: true,
    },
    {
      title: 'Interaction Tracking',
      text: 'Each choice, one by one',
      href: '/admin-tracking',
      isNew: true,
    },
  ],
}

/** Beyond the specification. */
export const MORE: Partial<Record<Tab, Entry[]>> = {
  tools: [
    {
      title: 'Employer claims',
      text: 'Who may act for which company',
      href: '/admin?section=claims',
    },
    {
      title: 'Audit log',
      text: 'Who of the administrators did what',
      href: '/admin?section=log',
    },
  ],
  content: [
    {
      title: 'Moderation queue',
      text: 'Reports, appeals and held posts',
      href: '/admin/moderation',
    },
    {
      title: 'Suggested changes',
      text: 'What members would change about companies',
      href: '/admin?section=edits',
      flag: 'enableCompanies',
    },
  ],
}
