/** A list that grows page by page: what it says while it loads, is empty, or fails. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { LoadError } from './message.tsx'
import { type GrowingList, MoreButton } from './more-button.tsx'
import { Loading, Skeleton } from './skeleton.tsx'

export function PagedList<Item extends { id: string }>(props: PagedListProps<Item>) {
  const { query, items, render, empty, failure, loading = rows, more } = props
  const { className = 'divide-y divide-line border-y border-line', rowClassName = 'py-4' } = props
  if (query.isError && items.length === 0)
    return (
      <LoadError
        text="This didn’t load. Check your connection and try again."
        {...failure}
        onRetry={query.refetch}
      />
    )
  if (query.isPending) return loading
  if (items.length === 0) return empty
  return (
    <>
      <ul className={className}>
        {items.map((item) => (
          <li key={item.id} className={rowClassName || undefined}>
            {render(item)}
          </li>
        ))}
      </ul>
      <MoreButton className="mt-6" {...more} list={query} />
    </>
  )
}

const rows = (
  <Loading times={3} className="grid gap-3">
    <Skeleton className="h-20 w-full" />
  </Loading>
)

export interface PagedListProps<Item> {
  query: GrowingList & Pick<UseInfiniteQueryResult, 'isError' | 'isPending' | 'refetch'>
  items: Item[]
  render: (item: Item) => ReactNode
  empty: ReactNode
  failure?: { title?: string; text?: string } | null
  /** Grey shapes. By default three rows. */
  loading?: ReactNode
  more?: Omit<ComponentProps<typeof MoreButton>, 'list'>
  className?: string
  rowClassName?: string
}
