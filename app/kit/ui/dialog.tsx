import { CSPProvider } from '@base-ui/react/csp-provider'
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide'
import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { dialogButtonsClasses } from './class-names.ts'
import { cx } from './cx.ts'
import { Icon } from './icon.tsx'
import type { OpenProps } from './lazy-component.tsx'
import { leaveBy } from './unsaved-guard.ts'

const WIDTHS = { sm: 'md:max-w-md', md: 'md:max-w-lg', lg: 'md:max-w-3xl' } as const

/**
 * Holds the focus, closes with Escape, its close button or a press outside, and returns the focus. A sheet on phones.
 * Heavy (Base UI), so load the file that uses it with `lazyDialog`.
 */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, children, footer, width = 'sm' } = props
  const popup = useRef<HTMLDivElement>(null)
  return (
    <CSPProvider disableStyleElements>
      <Base.Root
        open={open}
        onOpenChange={closeUnlessOutside(onOpenChange, popup)}
        onOpenChangeComplete={(isOpen) => {
          if (!isOpen) keepFocus()
        }}
      >
        <Base.Portal>
          <Base.Backdrop className={backdropClasses} />
          <Base.Viewport className="fixed inset-0 z-50 flex items-end justify-center overflow-hidden md:items-center md:p-6">
            <Base.Popup
              ref={popup}
              {...ownForms}
              initialFocus={props.initialFocus}
              className={cx(
                'relative flex max-h-[calc(100dvh-max(2.5rem,var(--toast-room,0px)))] w-full flex-col rounded-t-2xl border border-line',
                'bg-surface text-ink shadow-popup outline-none md:max-h-[calc(100dvh-2*max(1.5rem,var(--toast-room,0px)))] md:rounded-xl',
                'transition-[transform,opacity] duration-200 ease-out',
                'data-starting-style:translate-y-full data-ending-style:translate-y-full',
                'md:data-starting-style:translate-y-2 md:data-ending-style:translate-y-2',
                'md:data-starting-style:opacity-0 md:data-ending-style:opacity-0',
                WIDTHS[width],
              )}
            >
              <div className="pt-6 pr-16 pb-1 pl-4 md:pl-6">
                <Base.Title className="font-serif text-2xl leading-8 font-medium text-balance">
                  {title}
                </Base.Title>
                {description && (
                  <Base.Description className="mt-1 text-sm leading-6 text-ink-soft">
                    {description}
                  </Base.Description>
                )}
              </div>
              <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pt-4 pb-5 md:px-6 md:pb-6">
                {children}
              </div>
              {footer && (
                <div className={cx(dialogButtonsClasses, 'border-t border-line px-4 py-4 md:px-6')}>
                  {footer}
                </div>
              )}
              {/* Last, so that the first field gets the focus. */}
              <Base.Close aria-label="Close" className={cx(closeClasses, 'absolute top-5 right-4')}>
                <Icon of={X} className="size-[1.125rem]" />
              </Base.Close>
            </Base.Popup>
          </Base.Viewport>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}

/** React lets a dialog's events bubble to the component that opened it, but they aren't for its form. */
const stop = (event: FormEvent) => event.stopPropagation()
export const ownForms = { onSubmit: stop, onReset: stop }

/**
 * If the element that opened a dialog is gone, the focus goes to the page's top. We check twice, because the two
 * disappear separately.
 */
export function keepFocus() {
  for (const wait of [0, 100, 400])
    setTimeout(() => {
      if (document.activeElement === document.body)
        document.getElementById('main')?.focus({ preventScroll: true })
    }, wait)
}

/** Toasts and second dialogs are outside. Pressing there mustn't close this dialog. */
export const closeUnlessOutside =
  (onOpenChange: OpenProps['onOpenChange'], popup: RefObject<HTMLElement | null>) =>
  (next: boolean, { event, cancel }: Base.Root.ChangeEventDetails) => {
    const target = event.target instanceof Element ? event.target : undefined
    const other = target?.closest('[role=dialog]')
    const isElsewhere = target?.closest('[aria-live]') || (other && other !== popup.current)
    const close = () => onOpenChange(false)
    if (next) onOpenChange(true)
    else if (isElsewhere || !leaveBy(close, popup.current ?? undefined)) cancel()
  }

export const backdropClasses = cx(
  'fixed inset-0 z-50 bg-scrim transition-opacity duration-200',
  'data-starting-style:opacity-0 data-ending-style:opacity-0',
)

export const closeClasses = cx(
  'inline-flex size-10 shrink-0 items-center justify-center rounded-md',
  'text-ink-faint transition-colors hover:bg-sunken hover:text-ink',
)

type DialogProps = OpenProps & {
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  /** The buttons, with the main one last. */
  footer?: ReactNode
  width?: keyof typeof WIDTHS
  /** Gets the focus first. By default, it's the first element that can. */
  initialFocus?: RefObject<HTMLElement | null>
}

/**
 * A new number for each opening of a dialog. Use it as the key of its form, or set state in `onOpening`, which runs in
 * the render that opens it.
 */
export function useOpenCount(open: boolean, onOpening?: () => void): number {
  const [openCount, setOpenCount] = useState(0)
  const [wasOpen, setWasOpen] = useState(open)
  if (wasOpen !== open) {
    setWasOpen(open)
    if (open) {
      setOpenCount(openCount + 1)
      onOpening?.()
    }
  }
  return openCount
}
