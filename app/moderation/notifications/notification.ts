/** News about what somebody wrote, follows or waits for: replies, mentions, decisions, alerts. Runs in the browser too: no I/O here. */

export const NOTIFICATION_KINDS = [
  'reply',
  'mention',
  'company-reply',
  'moderation',
  'alert',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** What happened at a company that one follows; a job may be one that somebody waits for anywhere. */
export const ALERT_EVENTS = ['thread', 'rating', 'policy', 'job'] as const
export type AlertEvent = (typeof ALERT_EVENTS)[number]
/** New threads of one company that are counted; beyond that, nobody counts any more. */
export const ALERT_THREADS_MAX = 50
/** The same of jobs. */
export const ALERT_JOBS_MAX = 50
/** Comments that a piece of news remembers, so that it goes with them; more, it only counts. */
export const NEWS_COMMENTS_MAX = 50

export const DIGESTS = ['off', 'daily', 'weekly'] as const
export type Digest = (typeof DIGESTS)[number]

/** Read or not, news older than this goes. */
export const KEPT_DAYS = 90
/** People named in one comment who are told; who names more, tells the first of them. */
export const MENTIONS_MAX = 10
