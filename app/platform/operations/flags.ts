/** Parts of the site that an operator can turn on or off. Spec §1. `ENABLE_JOBS` is the setting of `enableJobs`. */
export const FLAGS_BY_DEFAULT = {
  enableCompanies: true,
  enableDiscussions: true,
  enableJobs: false,
  enableProfile: true,
  enableSettings: true,
  enableNotifications: true,
  enableAlerts: true,
  enableDashboard: true,
}
export type Flag = keyof typeof FLAGS_BY_DEFAULT
export const FLAGS = Object.keys(FLAGS_BY_DEFAULT) as Flag[]
export type Flags = Record<Flag, boolean>
