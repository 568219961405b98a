/** A list that grows page by page, and what it says while it loads, is empty, or fails. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button, type ButtonSize, buttonClasses } from './button.tsx'
import { cx } from './cx.ts'
import { LoadError } from './message.tsx'
import { Loading, Skeleton, Spinner } from './skeleton.tsx'

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

/**
 * Loads a list's next page in place, and says if that failed. When there are no more, it disappears, and screen
 * readers hear about it.
 */
export function MoreButton({ list, label = 'Show more', className, ...rest }: MoreButtonProps) {
  const [wasAsked, setAsked] = useState(false)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = list
  if (!hasNextPage && !wasAsked) return null
  const look = {
    list,
    label: isFetchNextPageError ? FAILED : label,
    onAsk() {
      setAsked(true)
      if (!isFetchingNextPage) list.fetchNextPage()
    },
  }
  return (
    <div className={cx('relative flex justify-center', hasNextPage && className)}>
      {hasNextPage && (rest.href ? <MoreLink {...rest} {...look} /> : <More {...rest} {...look} />)}
      <p role="status" className="sr-only">
        {hasNextPage ? '' : 'There are no more.'}
      </p>
    </div>
  )
}

const FAILED = 'Couldn’t load more. Try again'

const More = ({ list, label, onAsk, busyLabel = 'Fetching...', size }: LookProps) => (
  <Button
    variant="secondary"
    size={size}
    className="no-js:hidden"
    busy={list.isFetchingNextPage}
    busyLabel={busyLabel}
    onClick={onAsk}
  >
    {label}
  </Button>
)

/** Without JavaScript, the button is a link to the next page. */
const MoreLink = ({ list, label, onAsk, href }: LookProps) => (
  <a
    href={href}
    rel="next nofollow"
    className={buttonClasses('secondary')}
    aria-busy={list.isFetchingNextPage || undefined}
    onClick={(event) => {
      event.preventDefault()
      onAsk()
    }}
  >
    {list.isFetchingNextPage && <Spinner className="size-4" />}
    <span className="js:hidden">Next</span>
    <span className="no-js:hidden">{label}</span>
  </a>
)

/** A list as TanStack Query returns it. */
export interface GrowingList {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

interface MoreButtonProps {
  list: GrowingList
  label?: string
  /** The label while loading. '' keeps the usual one, as a link always does. */
  busyLabel?: string
  size?: ButtonSize
  /** The next page's address, for readers without JavaScript. If it's missing, they see no button. */
  href?: string
  /** Space around the button, while it's there. */
  className?: string
}

type LookProps = Omit<MoreButtonProps, 'className'> & { label: string; onAsk: () => void }
