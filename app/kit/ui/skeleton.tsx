/** Shown while something loads: gray shapes as large as what will replace them, a bar, and a spinner. */
import { Fragment, type ReactNode } from 'react'
import { cx } from './cx.ts'

/** Tells screen readers that something is loading. Its children are the gray shapes, repeated `times` times. */
export function Loading({ label = 'Loading...', times = 1, className, children }: LoadingProps) {
  return (
    <div role="status" aria-label={label} className={className}>
      {Array.from({ length: times }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <Fragment key={index}>{children}</Fragment>
      ))}
    </div>
  )
}

interface LoadingProps {
  label?: string
  times?: number
  className?: string
  children: ReactNode
}

/** Give it the content's size with `className`, so nothing jumps. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx('block animate-shimmer rounded-md bg-line', className ?? 'h-4 w-full')}
    />
  )
}

/** Plays once per `path`. Screen readers skip it, and it doesn't move with reduced motion. */
export function LoadBar({ path }: { path: string }) {
  return (
    <div
      key={path}
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 top-full h-0.5 overflow-hidden motion-reduce:hidden"
    >
      <div className="h-full origin-left animate-load-bar bg-tea" />
    </div>
  )
}

export function SkeletonCard({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'block overflow-hidden rounded-xl border border-line bg-surface p-4 md:p-5',
        className,
      )}
    >
      <Skeleton className="h-5 w-2/5" />
      <Skeleton className="mt-3 h-4 w-11/12" />
      <Skeleton className="mt-2 h-4 w-2/3" />
    </span>
  )
}

/** `label` is for screen readers. Leave it empty next to visible text. */
export function Spinner({ label = 'Loading...', className }: SpinnerProps) {
  return (
    <span role={label ? 'status' : undefined} className="inline-flex">
      <svg
        viewBox="0 0 20 20"
        fill="none"
        aria-hidden="true"
        className={cx('animate-spin motion-reduce:animate-none', className ?? 'size-5')}
      >
        <circle cx="10" cy="10" r="8" stroke="currentColor" strokeWidth="2" opacity="0.2" />
        <path d="M10 2a8 8 0 0 1 8 8" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}

type SpinnerProps = { label?: string; className?: string }
