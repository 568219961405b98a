import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '#app/api/client.ts'
import { useIsKnown } from '#app/kit/session/session.data.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { plural } from '#app/kit/ui/format.ts'
import { PagedList } from '#app/kit/ui/paged-list.tsx'
import { RelativeTime } from '#app/kit/ui/relative-time.tsx'
import type { DiscussionContract, ThreadRow } from '../../discussion.contract.ts'
import { myCommentsQuery, mySavedQuery, myThreadsQuery } from '../own-posts.data.ts'

interface MyPostsProps {
  empty: ReactNode
}

export const MyThreads = ({ empty }: MyPostsProps) => (
  <Threads
    queryOf={myThreadsQuery}
    empty={empty}
    actOf={(thread) => (
      <a href={`/edit-thread/${thread.id}`} className={quietLink}>
        Edit<span className="sr-only">{` “${thread.title}”`}</span>
      </a>
    )}
  />
)

export const SavedThreads = ({ empty }: MyPostsProps) => (
  <Threads queryOf={mySavedQuery} empty={empty} />
)

function Threads({ queryOf, empty, actOf }: ThreadsProps) {
  const api = useApi<DiscussionContract>()
  const query = useInfiniteQuery({ ...queryOf(api), enabled: useIsKnown() })
  const threads = query.data?.pages.flatMap((page) => page.threads) ?? []
  return (
    <PagedList
      query={query}
      items={threads}
      empty={empty}
      render={(thread) => <ThreadLine thread={thread}>{actOf?.(thread)}</ThreadLine>}
    />
  )
}

interface ThreadsProps extends MyPostsProps {
  queryOf: typeof myThreadsQuery | typeof mySavedQuery
  actOf?: (thread: ThreadRow) => ReactNode
}

export function MyComments({ empty }: MyPostsProps) {
  const api = useApi<DiscussionContract>()
  const query = useInfiniteQuery({ ...myCommentsQuery(api), enabled: useIsKnown() })
  const comments = query.data?.pages.flatMap((page) => page.comments) ?? []
  return (
    <PagedList
      query={query}
      items={comments}
      empty={empty}
      render={({ id, html, postedAt, score, thread }) => (
        <article>
          <a href={`${thread.path}#comment-${id}`} dir="auto" className={titleLink}>
            {thread.title}
          </a>
          <p dir="auto" className="mt-1 line-clamp-3 text-sm leading-6 text-ink-soft">
            {textOf(html)}
          </p>
          <p className={factsLook}>
            <RelativeTime iso={postedAt} />
            <span>{plural(score, 'point')}</span>
          </p>
        </article>
      )}
    />
  )
}

function ThreadLine({ thread, children }: { thread: ThreadRow; children?: ReactNode }) {
  return (
    <article>
      <a href={thread.path} dir="auto" className={titleLink}>
        {thread.title}
      </a>
      {thread.excerpt && (
        <p dir="auto" className="mt-1 line-clamp-2 text-sm leading-6 text-ink-soft">
          {thread.excerpt}
        </p>
      )}
      <p className={factsLook}>
        {thread.company && (
          <SiteLink href={thread.company.path} className={quietLink}>
            {thread.company.name}
          </SiteLink>
        )}
        <RelativeTime iso={thread.postedAt} />
        <span>{plural(thread.score, 'point')}</span>
        <span>{plural(thread.comments, 'comment')}</span>
        {children}
      </p>
    </article>
  )
}

/** Plain text, for a line in a list. Only the browser loads lists of my own. */
function textOf(html: string) {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return body.textContent?.replace(/\s+/g, ' ').trim()
}

const titleLink =
  'block font-serif text-xl leading-7 font-medium text-pretty text-ink underline-offset-4 hover:underline'
const quietLink =
  'underline decoration-line-strong underline-offset-4 hover:text-ink hover:decoration-ink-soft'
const factsLook = 'mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-faint'
