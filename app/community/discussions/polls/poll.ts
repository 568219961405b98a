/** A poll's limits, and the sentences for refused ones. */

export const POLL_OPTIONS_MIN = 2
export const POLL_OPTIONS_MAX = 8
export const POLL_OPTION_MAX = 100
export const POLL_DAYS_MAX = 60

export const POLL_PROBLEMS = {
  emptyOption: 'An option needs text',
  longOption: `An option can have at most ${POLL_OPTION_MAX} characters`,
  sameOption: 'This option already exists',
  fewOptions: `A poll needs at least ${POLL_OPTIONS_MIN} options`,
  manyOptions: `A poll can have at most ${POLL_OPTIONS_MAX} options`,
} as const

export const POLL_REFUSALS = {
  noPoll: 'This poll doesn’t exist',
  pollClosed: 'This poll is closed',
  noOption: 'This poll doesn’t have that option',
  voted: 'You’ve already voted in this poll',
} as const
