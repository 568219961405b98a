/** The button of a menu, light enough for the first load. */

import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import type { PreloadProps } from './lazy-component.tsx'
import type { MenuPopup } from './menu.tsx'

/**
 * Opens on a click or an arrow key. The menu loads lazily, and passes `popup` on to `Menu`:
 *
 *     const UserMenu = lazyDialog(() => import('./user-menu').then((it) => it.UserMenu))
 *
 *     <MenuButton preload={UserMenu.preload} menu={(popup) => <UserMenu {...popup} name={name} />}>
 */
export function MenuButton({ menu, preload, ...button }: MenuButtonProps) {
  const [open, setOpen] = useState(false)
  const [isByKey, setByKey] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const openOnArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setByKey(true)
    setOpen(true)
  }
  return (
    <>
      <Button
        variant="ghost"
        {...preload}
        {...button}
        ref={anchor}
        aria-haspopup="menu"
        aria-expanded={open}
        onKeyDown={openOnArrow}
        onClick={(event) => {
          // Enter and Space arrive as clicks with a press count of zero.
          setByKey(event.detail === 0)
          setOpen(!open)
        }}
      />
      {menu({ open, onOpenChange: setOpen, anchor, isByKey })}
    </>
  )
}

type MenuButtonProps = Omit<ButtonProps, 'onClick' | 'ref'> & {
  menu: (popup: MenuPopup) => ReactNode
  preload?: PreloadProps
}
