/** The gallery's dialog, drawer and menu. They load when they open. */

import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Drawer } from './drawer.tsx'
import { TextField } from './field.tsx'
import type { OpenProps } from './lazy-component.tsx'
import { Menu, MenuGroup, MenuItem, MenuLink, type MenuPopup, MenuSeparator } from './menu.tsx'

export function SampleDialog({ open, onOpenChange }: OpenProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Welcome Back"
      description="Sign in to your account"
      footer={
        <>
          <Button variant="ghost" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button type="submit" form="sample">
            Sign in
          </Button>
        </>
      }
    >
      <form id="sample" className="grid gap-5" onSubmit={(event) => event.preventDefault()}>
        <TextField label="Email" type="email" autoComplete="email" required />
        <TextField label="Password" type="password" autoComplete="current-password" required />
      </form>
    </Dialog>
  )
}

export function SampleDrawer({ open, onOpenChange }: OpenProps) {
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title="Menu">
      <nav aria-label="Navigate" className="grid gap-1">
        {['Home', 'Companies', 'Discussions'].map((name) => (
          <a
            key={name}
            href="/gallery"
            className="-mx-3 flex h-11 items-center rounded-md px-3 hover:bg-sunken"
          >
            {name}
          </a>
        ))}
      </nav>
    </Drawer>
  )
}

export function SampleMenu({ icons, ...popup }: MenuPopup & { icons: SampleIcons }) {
  return (
    <Menu {...popup} label="User menu">
      <MenuGroup title="My Account">
        <MenuLink href="/gallery" icon={icons.profile}>
          Profile
        </MenuLink>
        <MenuLink href="/gallery" icon={icons.settings}>
          Settings
        </MenuLink>
        <MenuItem staysOpen icon={icons.theme}>
          Dark mode
        </MenuItem>
      </MenuGroup>
      <MenuSeparator />
      <MenuItem isDanger icon={icons.leave}>
        Log out
      </MenuItem>
    </Menu>
  )
}

type SampleIcons = Record<'profile' | 'settings' | 'theme' | 'leave', ReactNode>
