/** The tabs of a company's page; discussions come first, and where an address names none that is there. */

const TABS = [
  { key: 'discussions', name: 'Discussions' },
  { key: 'ratings', name: 'Ratings' },
  { key: 'jobs', name: 'Jobs' },
  { key: 'about', name: 'About' },
] as const

type Flags = { enableJobs: boolean }

export const companyTabs = (flags: Flags) =>
  TABS.filter(({ key }) => key !== 'jobs' || flags.enableJobs)

/** The key of the tab that an address opens. */
export const companyTab = (wanted: string | null | undefined, flags: Flags) =>
  companyTabs(flags).find(({ key }) => key === wanted)?.key ?? 'discussions'
