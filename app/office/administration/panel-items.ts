/** The panel's contents. Spec §2.10 to the letter; `MORE` goes beyond it. */

export const TABS = {
  navigation: 'Navigation',
  tools: 'Admin Tools',
  content: 'Content',
  analytics: 'Analytics',
} as const
export type Tab = keyof typeof TABS

/** A part of the panel with its own URL, under a tab. */
export const SECTIONS = {
  users: { tab: 'tools', title: 'User Management' },
  claims: { tab: 'tools', title: 'Employer claims' },
  data: { tab: 'tools', title: 'Data Management' },
  log: { tab: 'tools', title: 'Audit log' },
  edits: { tab: 'content', title: 'Suggested changes' },
  feeds: { tab: 'content', title: 'Job feeds' },
} as const satisfies Record<string, { tab: Tab; title: string }>
export type Section = keyof typeof SECTIONS

const isTab = (name: string): name is Tab => Object.hasOwn(TABS, name)
const isSection = (name: string): name is Section => Object.hasOwn(SECTIONS, name)

/** The tab or section in a URL's `section`. Defaults to the first tab. */
export function panelItemOf(search: string): { tab: Tab; section?: Section } {
  const name = new URLSearchParams(search).get('section') ?? ''
  if (isSection(name)) return { tab: SECTIONS[name].tab, section: name }
  return { tab: isTab(name) ? name : 'navigation' }
}

/** Relative to the current path, because the panel has two. */
export const panelHref = (path: string, name: Tab | Section) =>
  name === 'navigation' ? path : `${path}?section=${name}`

export const userHref = (username: string) =>
  `/admin?section=users&name=${encodeURIComponent(username)}`

export interface Entry {
  title: string
  text: string
  href: string
  isNew?: boolean
  /** Shown only if this part of the site is on. */
  flag?: 'enableCompanies' | 'enableDiscussions' | 'enableJobs'
}

/** Shown on the panel itself, instead of behind a link. */
export interface Embedded {
  title: string
  text: string
  embedded: 'requests' | 'messages'
}

export const ENTRIES: Record<Tab, (Entry | Embedded)[]> = {
  navigation: [
    { title: 'Home', text: 'Home page', href: '/' },
    {
      title: 'Companies',
      text: 'All companies, with search and filters',
      href: '/companies',
      flag: 'enableCompanies',
    },
    {
      title: 'Discussions',
      text: 'All threads',
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
      text: 'Companies people asked for',
      embedded: 'requests',
    },
    {
      title: 'Contact Messages',
      text: 'Messages to the site',
      embedded: 'messages',
    },
    {
      title: 'Analytics Tracking',
      text: 'Company clicks',
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
      text: 'Edit on company pages',
      href: '/companies',
      flag: 'enableCompanies',
    },
    {
      title: 'Moderate Discussions',
      text: 'Moderate on thread pages',
      href: '/discussions',
      flag: 'enableDiscussions',
    },
  ],
  analytics: [
    {
      title: 'User Activity Report',
      text: 'Recent clicks',
      href: '/admin-tracking',
      isNew: true,
    },
    {
      title: 'Interaction Tracking',
      text: 'Every click',
      href: '/admin-tracking',
      isNew: true,
    },
  ],
}

/** Beyond the specification. */
export const MORE: Partial<Record<Tab, Entry[]>> = {
  tools: [
    {
      title: 'Site settings',
      text: 'Name, texts and addresses of this site',
      href: '/admin/settings',
    },
    {
      title: 'Employer claims',
      text: 'Who can act for which company',
      href: '/admin?section=claims',
    },
    {
      title: 'Audit log',
      text: 'What administrators did',
      href: '/admin?section=log',
    },
  ],
  content: [
    {
      title: 'Moderation',
      text: 'Reports, appeals and held posts',
      href: '/admin/moderation',
    },
    {
      title: 'Suggested changes',
      text: 'Company changes that members suggest',
      href: '/admin?section=edits',
      flag: 'enableCompanies',
    },
    {
      title: 'Job feeds',
      text: 'Other sites’ jobs, read every day',
      href: '/admin?section=feeds',
      flag: 'enableJobs',
    },
  ],
}
