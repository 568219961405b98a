/** Parts of the site that an operator can turn on or off. Spec §1. `ENABLE_JOBS` is the setting of `enableJobs`. */
export const FLAGS = [
  'enableCompanies',
  'enableDiscussions',
  'enableJobs',
  'enableProfile',
  'enableSettings',
  'enableNotifications',
  'enableAlerts',
  'enableDashboard',
] as const
export type Flag = (typeof FLAGS)[number]
export type Flags = Record<Flag, boolean>
