/** The tabs of a company's page; the first is shown where an address names none that is there. */

const TABS = [
  { key: 'discussions', name: 'Discussions' },
  { key: 'ratings', name: 'Ratings' },
  { key: 'jobs', name: 'Jobs' },
  { key: 'about', name: 'About' },
] as const

type Flags = { enableDiscussions: boolean; enableJobs: boolean }

export const companyTabs = (flags: Flags) =>
  TABS.filter(
    ({ key }) =>
      (key !== 'jobs' || flags.enableJobs) && (key !== 'discussions' || flags.enableDiscussions),
  )

/** The key of the tab that an address opens. */
export const companyTab = (wanted: string | null | undefined, flags: Flags) =>
  companyTabs(flags).find(({ key }) => key === wanted)?.key ?? firstTab(flags)

/** It stands at the company's own address. */
export const firstTab = (flags: Flags) => (flags.enableDiscussions ? 'discussions' : 'ratings')
