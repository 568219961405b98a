/** What is looked at before anybody hears of a new post: whether it waits for a moderator. */

import type { PostRef } from '#app/community/reports/report.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { holdBursts } from './burst.server.ts'
import { holdFirst } from './first-posts.server.ts'
import { holdWatched } from './watch-list.server.ts'

type NewPostsContext = Pick<ServerContext, 'db' | 'now' | 'jobs' | 'secrets'>

export async function holdNewPosts(base: NewPostsContext, posts: PostRef[]) {
  await holdWatched(base, posts)
  await holdFirst(base, posts)
  await holdBursts(base, posts)
}
