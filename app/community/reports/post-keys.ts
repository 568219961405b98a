/** What answers about discussions are kept under, for whoever makes them be asked for anew. */

/** All lists of threads have a key that begins with it. */
export const LISTS = ['threads', 'list'] as const

/** All pages of a thread's comments, in every order, have a key that begins with it. */
export const commentsKey = (threadId: string) => ['comments', threadId] as const
