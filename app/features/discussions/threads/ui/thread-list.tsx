/** A list of threads with its next page, and what stands there when there is none. */
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../../../../api/client.ts'
import { LoadError } from '../../../../ui/message.tsx'
import { MoreButton } from '../../../../ui/more-button.tsx'
import type { DiscussionContract } from '../../discussion.contract.ts'
import { type ThreadListAddress, threadListHref, threadListQuery } from '../../discussion.data.ts'
import { ThreadRow, ThreadRowsSkeleton, threadListLook } from './thread-row.tsx'

export function ThreadList({ address, showsCompany, heading, empty }: ThreadListProps) {
  const api = useApi<DiscussionContract>()
  const list = useInfiniteQuery(threadListQuery(api, address))
  const pages = list.data?.pages ?? []
  const threads = [...(pages[0]?.pinned ?? []), ...pages.flatMap((page) => page.threads)]
  if (list.isPending) return <ThreadRowsSkeleton />
  if (list.isError && threads.length === 0)
    return <LoadError text={list.error.message} onRetry={list.refetch} />
  if (threads.length === 0) return empty
  return (
    <>
      <ul className={threadListLook}>
        {threads.map((thread) => (
          <li key={thread.id}>
            <ThreadRow thread={thread} showsCompany={showsCompany} heading={heading} />
          </li>
        ))}
      </ul>
      <MoreButton
        list={list}
        label="Load more"
        href={threadListHref({ ...address, after: pages.at(-1)?.next ?? undefined })}
        className="mt-6 min-h-11"
      />
    </>
  )
}

interface ThreadListProps {
  address: ThreadListAddress
  showsCompany?: boolean
  heading?: 'h2' | 'h3'
  /** What stands there when there are no threads. */
  empty: ReactNode
}
