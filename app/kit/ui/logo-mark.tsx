import { cx } from './cx.ts'

/** A kettle in the text's colour, with steam in tea. Size it by `className`. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 48 48" fill="none" aria-hidden="true" className={className ?? 'size-8'}>
      <path
        d="M12.5 22.5C11.5 12.5 15 7 21 7s9.5 5.5 8.5 15.5"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <path
        d="M32 35.5c5.5-.5 4.5-8 9-10.5"
        stroke="currentColor"
        strokeWidth="4.2"
        strokeLinecap="round"
      />
      <path
        fill="currentColor"
        d="M21 15a2 2 0 0 1 1.3 3.5c3.4.5 6.3 2.3 7.9 5 2.7 3 4.3 7.2 4.3 11.7 0 3.9-2 6.3-5.6 6.3H13.1c-3.6 0-5.6-2.4-5.6-6.3 0-4.5 1.6-8.7 4.3-11.7 1.6-2.7 4.5-4.5 7.9-5A2 2 0 0 1 21 15z"
      />
      <path
        className="stroke-star"
        d="M41 19.5c-3.2-3 2.6-4.9.2-8.3-1.5-2.2-.2-4.7 2.3-4.7"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  )
}

/** The mark beside the site's name. */
export function Wordmark({ name, className }: { name: string; className?: string }) {
  return (
    <span className={cx('inline-flex items-center gap-2 text-ink', className)}>
      <LogoMark className="size-8" />
      <span className="font-serif text-[1.375rem] leading-none font-medium tracking-tight">
        {name}
      </span>
    </span>
  )
}
