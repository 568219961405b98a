/** Query keys of discussions, for those who invalidate them. */

export const LISTS = ['threads', 'list'] as const

/** Every page of a thread's comments, in every order. */
export const commentsKey = (threadId: string) => ['comments', threadId] as const
