/** Which companies somebody wants to hear of, and what. Runs in the browser too: no I/O here. */

/** What can happen at a company that one may want to be told of. */
export const ALERT_TOPICS = ['threads', 'ratings', 'policy', 'jobs'] as const
export type AlertTopic = (typeof ALERT_TOPICS)[number]

export const ALERT_TOPIC_NAMES: Record<AlertTopic, string> = {
  threads: 'New threads',
  ratings: 'Rating moves',
  policy: 'Policy changes',
  jobs: 'Jobs',
}

/** Nobody reads the news of more companies than this. */
export const FOLLOWS_MAX = 500
export const NOT_FOLLOWED = 'You do not follow this company'
