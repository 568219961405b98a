import { cx } from './cx.ts'

/** `label` is for screen readers. Leave it empty beside visible words. */
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
