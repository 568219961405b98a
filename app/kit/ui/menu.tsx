import { CSPProvider } from '@base-ui/react/csp-provider'
import { Menu as Base } from '@base-ui/react/menu'
import { type ReactNode, type RefObject, useRef } from 'react'
import { cx } from './cx.ts'
import type { OpenProps } from './lazy-component.tsx'

/** What a `MenuButton` gives its menu. */
export type MenuPopup = OpenProps & {
  anchor: RefObject<HTMLElement | null>
  /** Whether the menu was opened by keyboard. Then the first item gets the focus immediately. */
  isByKey: boolean
}

/** Arrow keys, Home, End and first letters move. Escape closes. Heavy (Base UI), so load it lazily. */
export function Menu({ open, onOpenChange, anchor, isByKey, label, children }: MenuProps) {
  const popup = useRef<HTMLDivElement>(null)
  const focusFirst = (isOpen: boolean) => {
    if (isOpen && isByKey) popup.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
  }
  return (
    <CSPProvider disableStyleElements>
      <Base.Root
        open={open}
        onOpenChange={(next, { event, cancel }) => {
          // The button handles presses on itself. The second press of a double click does nothing.
          const isOnButton = event.target instanceof Node && anchor.current?.contains(event.target)
          if (isOnButton && event.type !== 'keydown') cancel()
          else onOpenChange(next)
        }}
        onOpenChangeComplete={focusFirst}
      >
        {/* The menu is outside of all landmarks, so it's one itself. */}
        <Base.Portal role="navigation" aria-label={label}>
          <Base.Positioner anchor={anchor} align="end" sideOffset={8} className="z-50 outline-none">
            <Base.Popup
              ref={popup}
              aria-label={label}
              finalFocus={anchor}
              className={cx(
                'max-h-(--available-height) min-w-56 max-w-[calc(100vw-2rem)] overflow-y-auto rounded-lg border',
                'border-line bg-surface p-1.5 text-sm text-ink shadow-popup outline-none',
                'origin-(--transform-origin) transition-[transform,opacity] duration-150',
                'data-starting-style:scale-98 data-starting-style:opacity-0',
                'data-ending-style:scale-98 data-ending-style:opacity-0',
              )}
            >
              {children}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}

/** `staysOpen` is for what changes in place, such as the theme. */
export function MenuItem({ icon, onPress, disabled, staysOpen, isDanger, children }: ItemProps) {
  return (
    <Base.Item
      onClick={onPress}
      disabled={disabled}
      closeOnClick={!staysOpen}
      className={cx(itemClasses, isDanger && 'text-danger')}
    >
      {icon}
      {children}
    </Base.Item>
  )
}

export function MenuLink({ href, icon, children }: MenuLinkProps) {
  return (
    <Base.LinkItem closeOnClick render={<a href={href} />} className={itemClasses}>
      {icon}
      {children}
    </Base.LinkItem>
  )
}

/** A titled group. */
export function MenuGroup({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-3 pt-2 pb-1.5 font-medium text-ink-faint">
        {title}
      </Base.GroupLabel>
      {children}
    </Base.Group>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="-mx-1.5 my-1.5 h-px bg-line" />
}

/** A closing menu focuses its button, and a dialog that opened before would lose the focus. */
export function whenFocusIsBack({ anchor }: MenuPopup, open: () => void) {
  const button = anchor.current
  if (!button || document.activeElement === button) open()
  else button.addEventListener('focus', open, { once: true })
}

const itemClasses = cx(
  'flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 outline-none select-none md:min-h-9',
  'data-highlighted:bg-sunken data-disabled:cursor-default data-disabled:opacity-60',
  '[&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-faint',
)

type MenuProps = MenuPopup & { label: string; children: ReactNode }
type ItemProps = {
  icon?: ReactNode
  onPress?: () => void
  disabled?: boolean
  staysOpen?: boolean
  isDanger?: boolean
  children: ReactNode
}
type MenuLinkProps = { href: string; icon?: ReactNode; children: ReactNode }
