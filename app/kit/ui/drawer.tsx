import { CSPProvider } from '@base-ui/react/csp-provider'
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide'
import { type ReactNode, useRef } from 'react'
import { cx } from './cx.ts'
import { backdropClasses, closeClasses, closeUnlessOutside, ownForms } from './dialog.tsx'
import { Icon } from './icon.tsx'
import type { OpenProps } from './lazy-component.tsx'

/**
 * The phone's menu, 340 px wide. Spec §2.3, §9. Heavy, so load it lazily. The drawer is a dialog, so both share a
 * download. Base UI's drawer only adds swiping, and weighs 35 kB gzip instead of 21.
 */
export function Drawer({ open, onOpenChange, title, children, footer }: DrawerProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <CSPProvider disableStyleElements>
      <Base.Root open={open} onOpenChange={closeUnlessOutside(onOpenChange, popup)}>
        <Base.Portal>
          <Base.Backdrop className={backdropClasses} />
          <Base.Popup
            ref={popup}
            {...ownForms}
            className={cx(
              'fixed top-(--toast-room,0px) right-0 bottom-0 z-50 flex w-[min(340px,100vw)] flex-col border-l border-line',
              'bg-surface text-ink shadow-popup outline-none',
              'transition-transform duration-300 ease-out',
              'data-starting-style:translate-x-full data-ending-style:translate-x-full',
            )}
          >
            <div className="flex h-header shrink-0 items-center justify-between gap-4 border-b border-line px-6">
              <Base.Title className="font-serif text-xl font-medium">{title}</Base.Title>
              <Base.Close aria-label="Close" className={cx(closeClasses, '-mr-2')}>
                <Icon of={X} className="size-[1.125rem]" />
              </Base.Close>
            </div>
            <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-6 py-5">
              {children}
            </div>
            {footer && <div className="border-t border-line px-6 py-4">{footer}</div>}
          </Base.Popup>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}

type DrawerProps = OpenProps & {
  title: ReactNode
  children?: ReactNode
  footer?: ReactNode
}
