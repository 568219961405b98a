/** Following companies. Runs in the browser too: no I/O here. */

export const ALERT_TOPICS = ['threads', 'ratings', 'policy', 'jobs'] as const
type AlertTopic = (typeof ALERT_TOPICS)[number]

export const ALERT_TOPIC_NAMES: Record<AlertTopic, string> = {
  threads: 'New threads',
  ratings: 'Rating moves',
  policy: 'Policy changes',
  jobs: 'Jobs',
}

/** No one reads news about more companies. */
export const FOLLOWS_MAX = 500
export const FOLLOW_REFUSALS = {
  notFollowed: 'You don’t follow this company',
  full: `You follow ${FOLLOWS_MAX} companies, which is the limit. Unfollow one first.`,
} as const
