import { CircleAlert, X } from 'lucide'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { buttonClasses } from './button.tsx'
import { cx } from './cx.ts'
import { Icon } from './icon.tsx'
import {
  currentToasts,
  dismissToast,
  TOAST_MS,
  TOASTS_SHOWN,
  type Toast,
  watchToasts,
} from './toast.ts'
import { useIsPhone, usePageHidden } from './use-screen.ts'

/** Used to move the list off buttons (site/layout/ui/dock.tsx). */
export const TOASTS_ID = 'toasts'

/**
 * Shows toast.ts's toasts, newest first: top-center, 356 px wide, 14 px apart, three at once (Spec §9). On a phone, where
 * three cover half the screen, one after another: those that stay until closed come last. Mounted once.
 * Its list is in the page before the first toast, so screen readers announce it. We wrote our own, because the home
 * page needs it after 2.5 s. Base UI's weighs 12 kB gzip, this 3 (D4).
 */
export function Toaster() {
  const toasts = useSyncExternalStore(watchToasts, currentToasts, none).filter(({ open }) => open)
  const [isInUse, setInUse] = useState(false)
  const isAway = usePageHidden()
  const isPhone = useIsPhone()
  const alone = toasts.findLast(({ duration }) => duration !== 0) ?? toasts.at(-1)
  return (
    <section
      id={TOASTS_ID}
      aria-label="Notifications"
      className="pointer-events-none fixed inset-x-0 transition-none top-[var(--toast-top,calc(var(--spacing-header)+14px))] z-[100] mx-auto w-[min(356px,calc(100vw-2rem))] print:hidden"
    >
      {/* Time stops while someone reads with the pointer or keyboard, but not if the pointer just rests there. */}
      <ol
        aria-live="polite"
        aria-relevant="additions text"
        className="flex flex-col-reverse gap-[14px]"
        onPointerMove={() => setInUse(true)}
        onPointerLeave={() => setInUse(false)}
        onFocus={() => setInUse(true)}
        onBlur={() => setInUse(false)}
      >
        {toasts.map((toast, i) => (
          <ToastCard
            key={toast.id}
            toast={toast}
            isPaused={isInUse || isAway || (isPhone && toast !== alone)}
            isHidden={isPhone ? toast !== alone : i < toasts.length - TOASTS_SHOWN}
          />
        ))}
      </ol>
    </section>
  )
}

interface ToastCardProps {
  toast: Toast
  isPaused: boolean
  /** Hidden, because more toasts are open than fit. On a desktop, its time runs anyway. */
  isHidden: boolean
}

function ToastCard({ toast, isPaused, isHidden }: ToastCardProps) {
  const { id, title, description, action } = toast
  const isDestructive = toast.variant === 'destructive'
  useDismissal(toast, isPaused)
  return (
    <li
      className={cx(
        'pointer-events-auto flex items-start gap-3 rounded-lg border border-line bg-surface py-3 pr-1.5 pl-4 text-ink shadow-popup',
        'transition-[translate,opacity] duration-300 ease-out starting:-translate-y-6 starting:opacity-0',
        isHidden && 'hidden',
      )}
    >
      {isDestructive && (
        <Icon of={CircleAlert} className="mt-2 size-[1.125rem] shrink-0 text-danger" />
      )}
      <div
        // Interrupts a screen reader. Others wait for a pause.
        role={isDestructive ? 'alert' : undefined}
        className="min-w-0 flex-1 py-1.5 text-sm leading-5"
      >
        <p className={cx('font-semibold', isDestructive && 'text-danger')}>{title}</p>
        {description && <p className="mt-0.5 text-ink-soft">{description}</p>}
        {action && (
          <button
            type="button"
            className={cx(buttonClasses('secondary', 'sm'), 'mt-3')}
            onClick={() => {
              dismissToast(id)
              action.onPress()
            }}
          >
            {action.label}
          </button>
        )}
      </div>
      <button
        type="button"
        aria-label="Close"
        onClick={() => dismissToast(id)}
        className="-mt-0.5 inline-flex size-10 shrink-0 items-center justify-center rounded-md text-ink-faint transition-colors hover:bg-sunken hover:text-ink"
      >
        <Icon of={X} className="size-4" />
      </button>
    </li>
  )
}

function useDismissal(toast: Toast, isPaused: boolean) {
  const [run] = useState(createToastClock)
  useEffect(() => (isPaused ? undefined : run(toast)), [run, toast, isPaused])
}

const nothing: readonly Toast[] = []
const none = () => nothing

/** A toast's time. It stops while someone reads, and an update starts it again. */

/** Returns a function that runs a toast's time, and returns another that stops it. */
export function createToastClock(): (toast: Toast) => (() => void) | undefined {
  let known: Toast | undefined
  let left = 0
  return (toast) => {
    const { id, duration = TOAST_MS } = toast
    if (known !== toast) left = duration
    known = toast
    if (duration === 0) return
    const startedAt = performance.now()
    const timer = setTimeout(() => dismissToast(id), left)
    return () => {
      clearTimeout(timer)
      left -= performance.now() - startedAt
    }
  }
}
