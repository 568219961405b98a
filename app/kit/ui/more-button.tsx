import { useState } from 'react'
import { Button, type ButtonSize, buttonLook } from './button.tsx'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'

/**
 * Loads a list's next page in place, and says when that failed. It goes when there are no more, which screen readers
 * are told.
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

/** Without JavaScript a link to the next page. */
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

/** As TanStack Query returns it. */
export interface GrowingList {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

interface MoreButtonProps {
  list: GrowingList
  label?: string
  /** Shown while loading. '' keeps the label, as a link always does. */
  busyLabel?: string
  size?: ButtonSize
  /** The next page's address, for readers without JavaScript. They see no button without it. */
  href?: string
  /** Space around it, while it's there. */
  className?: string
}

type LookProps = Omit<MoreButtonProps, 'className'> & { label: string; onAsk: () => void }
