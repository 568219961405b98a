/** News about what somebody wrote: replies, mentions, decisions. Runs in the browser too: no I/O here. */

export const NOTIFICATION_KINDS = ['reply', 'mention', 'moderation'] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** What moderators did to a post, as its author is told. */
export const MODERATION_EVENTS = [
  'held',
  'removed',
  'restored',
  'locked',
  'moved',
  'appeal-declined',
  'suspended',
] as const
export type ModerationEvent = (typeof MODERATION_EVENTS)[number]

export const DIGESTS = ['off', 'daily', 'weekly'] as const
export type Digest = (typeof DIGESTS)[number]

/** Read or not, news older than this goes. */
export const KEPT_DAYS = 90
/** People named in one comment who are told; who names more, tells the first of them. */
export const MENTIONS_MAX = 10
