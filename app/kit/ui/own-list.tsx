/** A list of one's own that grows page by page: what it says while it loads, is empty, or fails. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadError } from './message.tsx'
import { type GrowingList, MoreButton } from './more-button.tsx'
import { Skeleton } from './skeleton.tsx'

export function OwnList<Item extends { id: string }>(props: OwnListProps<Item>) {
  const { query, items, render, empty } = props
  if (query.isError && items.length === 0)
    return (
      <LoadError
        text="This did not load. Check your connection and try again."
        onRetry={query.refetch}
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
      <MoreButton list={query} className="mt-6" />
    </>
  )
}

interface OwnListProps<Item> {
  query: GrowingList & Pick<UseInfiniteQueryResult, 'isError' | 'isPending' | 'refetch'>
  items: Item[]
  render: (item: Item) => ReactNode
  empty: ReactNode
}
