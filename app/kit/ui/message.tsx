/** Messages where there's nothing to show, or it couldn't load. */

import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'

/** `title` says what's missing, `text` what people can do about it. */
export function EmptyState({ title, text, action, isHeading, className }: MessageProps) {
  return (
    <Message className={className} title={title} text={text} action={action} isHeading={isHeading}>
      <path d="M15 25h26l-2.2 15.2a5 5 0 0 1-5 4.3H22.2a5 5 0 0 1-5-4.3z" />
      <path d="M40.5 28.5h3.3a5 5 0 0 1 0 10h-4.6" />
      <path d="M12 49.5h32" />
      <path className="stroke-tea" d="M25 19.5c-2.5-2.7 2.5-4.3 0-7.5" />
      <path className="stroke-tea" d="M32 19.5c-2.5-2.7 2.5-4.3 0-7.5" />
    </Message>
  )
}

/** The sentence of whatever needs scripts, where there are none. */
export const NeedsScripts = ({ className, children }: NeedsScriptsProps) => (
  <span className={cx('block text-sm text-ink-faint js:hidden', className)}>{children}</span>
)

/** Announced immediately. The message should say what to do next. */
export function ErrorState({ title, text, action, isHeading, className }: MessageProps) {
  return (
    <Message
      className={className}
      title={title}
      text={text}
      action={action}
      isHeading={isHeading}
      role="alert"
    >
      <path d="M15 25h26l-2.2 15.2a5 5 0 0 1-5 4.3H22.2a5 5 0 0 1-5-4.3z" />
      <path d="M40.5 28.5h3.3a5 5 0 0 1 0 10h-4.6" />
      <path d="M12 49.5h32" />
      <path className="stroke-tea" d="m29 25-4 6 6 3.5-4 6 1.5 4" />
    </Message>
  )
}

/** A failed load, with a button to try again. */
export function LoadError({ title = 'Something went wrong', text, isPage, onRetry }: RetryProps) {
  return (
    <ErrorState
      title={title}
      text={text}
      isHeading={isPage}
      className={isPage ? 'mt-[8svh]' : undefined}
      action={<Button onClick={() => onRetry()}>Try Again</Button>}
    />
  )
}

/** A one-line `LoadError`, within a section that shows more. */
export function LoadErrorLine({ text, onRetry }: Pick<RetryProps, 'text' | 'onRetry'>) {
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-4 text-sm">
      <p className="text-ink-soft">{text}</p>
      <Button variant="secondary" onClick={() => onRetry()}>
        Try Again
      </Button>
    </div>
  )
}

function Message({ title, text, action, isHeading, className, role, children }: FrameProps) {
  const Title = isHeading ? 'h1' : 'p'
  return (
    <div
      role={role}
      className={cx('mx-auto grid max-w-md justify-items-center px-6 py-12 text-center', className)}
    >
      <svg
        viewBox="0 0 56 56"
        fill="none"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        className="size-16 stroke-line-strong"
      >
        {children}
      </svg>
      <Title className="mt-4 font-serif text-xl text-balance text-ink">{title}</Title>
      {text && <p className="mt-2 text-sm leading-6 text-pretty text-ink-soft">{text}</p>}
      {action && <div className="mt-6">{action}</div>}
    </div>
  )
}

type MessageProps = {
  title: ReactNode
  text?: ReactNode
  action?: ReactNode
  /** Whether this is the whole page, so the title is its heading. */
  isHeading?: boolean
  className?: string
}

type RetryProps = {
  title?: string
  text?: string
  onRetry: () => unknown
  /** Whether the message replaces the whole page. */
  isPage?: boolean
}

type FrameProps = MessageProps & { role?: 'alert'; children: ReactNode }

interface NeedsScriptsProps {
  className?: string
  /** "Voting needs JavaScript." */
  children: string
}
