/** A list of one's own that grows page by page: what it says while it loads, is empty, or fails. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/message.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

export function OwnList<Item extends { id: string }>(props: OwnListProps<Item>) {
  const { query, items, render, empty } = props
  if (query.isError && items.length === 0)
    return (
      <ErrorState
        title="Something went wrong"
        text="This did not load. Check your connection and try again."
        action={<Button onClick={() => query.refetch()}>Try Again</Button>}
      />
    )
  if (query.isPending)
    return (
      <div aria-busy="true" className="grid gap-3">
        <Skeleton className="h-20 w-full" />
        <Skeleton className="h-20 w-full" />
        <Skeleton className="h-20 w-full" />
      </div>
    )
  if (items.length === 0) return empty
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {items.map((item) => (
          <li key={item.id} className="py-4">
            {render(item)}
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          variant="secondary"
          className="mx-auto mt-6 flex"
          busy={query.isFetchingNextPage}
          busyLabel="Fetching..."
          onClick={() => query.fetchNextPage()}
        >
          {query.isFetchNextPageError ? 'Could not load more. Try Again' : 'Show more'}
        </Button>
      )}
    </>
  )
}

interface OwnListProps<Item> {
  query: Pick<
    UseInfiniteQueryResult,
    | 'isError'
    | 'isPending'
    | 'hasNextPage'
    | 'isFetchingNextPage'
    | 'isFetchNextPageError'
    | 'fetchNextPage'
    | 'refetch'
  >
  items: Item[]
  render: (item: Item) => ReactNode
  empty: ReactNode
}
