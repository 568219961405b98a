import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '#app/api/client.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { plural } from '#app/kit/ui/format.ts'
import { LoadError } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { useStored } from '#app/kit/ui/stored-value.ts'
import type { DiscussionContract } from '../../discussion.contract.ts'
import { type ThreadListAddress, threadListHref, threadListQuery } from '../../discussion.data.ts'
import { isLeftOut } from '../../lists/list-choices.ts'
import { listChoices, readThreads } from '../../lists/lists.data.ts'
import { marksOf } from '../../lists/read-threads.ts'
import { useListVotes } from '../../lists/ui/use-list-votes.ts'
import { ThreadRow, ThreadRowsSkeleton, threadListLook } from './thread-row.tsx'

export function ThreadList({ address, showsCompany, heading, empty }: ThreadListProps) {
  const api = useApi<DiscussionContract>()
  const list = useInfiniteQuery(threadListQuery(api, address))
  const pages = list.data?.pages ?? []
  const rows = pages.map((page, at) =>
    at === 0 ? [...page.pinned, ...page.threads] : page.threads,
  )
  const threads = rows.flat()
  const votes = useListVotes(rows)
  const choices = useStored(listChoices)
  const read = useStored(readThreads)
  const shown = threads.filter((thread) => !isLeftOut(thread, choices, address))
  if (list.isPending) return <ThreadRowsSkeleton />
  if (list.isError && threads.length === 0)
    return <LoadError text={list.error.message} onRetry={list.refetch} />
  if (threads.length === 0) return empty
  return (
    <>
      {shown.length < threads.length && (
        <p className="mb-3 text-sm text-ink-faint">
          {`${plural(threads.length - shown.length, 'discussion')} left out, as you chose.`}
        </p>
      )}
      <ul className={cx(threadListLook, shown.length === 0 && 'hidden')}>
        {shown.map((thread) => (
          <li key={thread.id}>
            <ThreadRow
              thread={thread}
              showsCompany={showsCompany}
              heading={heading}
              marks={marksOf(thread, read)}
              votes={votes}
            />
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
  empty: ReactNode
}
