/** The tabs of a company's page. The first one is the default. */

const TABS = [
  { key: 'discussions', name: 'Discussions' },
  { key: 'ratings', name: 'Ratings' },
  { key: 'pay', name: 'Pay' },
  { key: 'interviews', name: 'Interviews' },
  { key: 'benefits', name: 'Benefits' },
  { key: 'jobs', name: 'Jobs' },
  { key: 'about', name: 'About' },
] as const

type Flags = { enableDiscussions: boolean; enableJobs: boolean }

export const companyTabs = (flags: Flags) =>
  TABS.filter(
    ({ key }) =>
      (key !== 'jobs' || flags.enableJobs) && (key !== 'discussions' || flags.enableDiscussions),
  )

export const companyTab = (wanted: string | null | undefined, flags: Flags) =>
  companyTabs(flags).find(({ key }) => key === wanted)?.key ?? firstTab(flags)

/** Shown at the company's own URL. */
export const firstTab = (flags: Flags) => (flags.enableDiscussions ? 'discussions' : 'ratings')

/** The questions on the Ratings tab, as an anchor. */
export const BEFORE_YOU_SIGN = 'before-you-sign'
