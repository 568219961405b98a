/** The button that asks for more of a list, which then grows in its place. */

import { useState } from 'react'
import { Button, type ButtonSize, buttonLook } from './button.tsx'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'

/**
 * Stands under a list that has a next page, and says when that could not be loaded. It goes when
 * there is no more; whoever asked for the last page and cannot see that is told.
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

/** A link to the next page without JavaScript; with it, that page joins this one. */
const MoreLink = ({ list, label, onAsk, href }: LookProps) => (
  <a
    href={href}
    rel="next nofollow"
    className={buttonLook('secondary')}
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

/** A list that is asked for page by page, as TanStack Query answers it. */
export interface GrowingList {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

interface MoreButtonProps {
  list: GrowingList
  label?: string
  /** What it says while the page is on its way; '' leaves the label. A link always leaves it. */
  busyLabel?: string
  size?: ButtonSize
  /** Of the next page, for readers without JavaScript; without it, they see no button. */
  href?: string
  /** Space around it, while it is there. */
  className?: string
}

type LookProps = Omit<MoreButtonProps, 'className'> & { label: string; onAsk: () => void }
