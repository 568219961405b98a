/** Answers that are the same for everyone, and what a write changes in them. */

/**
 * What drops a cached answer, apart from writes that may change everything. `entry`: a write that names an ID in it.
 * `list`: any post or vote. `catalog`: nothing else, because it shows no posts.
 */
export type Shared = 'entry' | 'list' | 'catalog'
/** `posts`: what the request and its answer name by ID, and lists. */
export type Changes = 'posts' | 'nothing'
