/** Numbers of moderation that administrators choose. Runs in the browser too: no I/O here. */

/** So many first posts of somebody may wait. */
export const FIRST_POSTS_MAX = 5
export const FIRST_POSTS_RANGE = `Between 0 and ${FIRST_POSTS_MAX}, please`

/** What a limit may be set to. */
export const LIMIT_MAX = 10_000
export const LIMIT_RANGE = 'A number between 1 and 10,000, please'
