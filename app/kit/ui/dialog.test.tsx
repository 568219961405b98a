/** Windows stand outside of the page, and yet inside of the component that opens them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement, type FormEvent, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { Dialog } from './dialog.tsx'
import { Drawer } from './drawer.tsx'

type Heard = (event: FormEvent) => void
const popup = vi.hoisted(() => ({ props: {} as Record<string, Heard> }))
vi.mock('@base-ui/react/dialog', () => {
  const Through = ({ children }: { children?: ReactNode }) => createElement('div', null, children)
  const Popup = ({ children, ...props }: { children?: ReactNode }) => {
    popup.props = props as typeof popup.props
    return createElement('div', null, children)
  }
  const parts = ['Root', 'Portal', 'Backdrop', 'Viewport', 'Title', 'Description', 'Close']
  return { Dialog: { Popup, ...Object.fromEntries(parts.map((part) => [part, Through])) } }
})

test.each([
  ['a dialog', Dialog],
  ['a drawer', Drawer],
])('a form sent or reset in %s doesn’t reach one around it', (_, Window) => {
  renderToString(<Window open onOpenChange={() => {}} title="Restore your ratings" />)
  for (const name of ['onSubmit', 'onReset']) {
    const stopPropagation = vi.fn()
    popup.props[name]?.({ stopPropagation } as unknown as FormEvent)
    expect(stopPropagation, name).toHaveBeenCalledOnce()
  }
})

test('a form has no other way out of the page', () => {
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx$/.test(file))
    .filter((file) => /Portal\b/.test(readFileSync(join('app', file), 'utf8')))
  // Menus, hints and the version badge hold no form.
  expect(files.sort()).toEqual([
    'kit/ui/dialog.tsx',
    'kit/ui/drawer.tsx',
    'kit/ui/menu.tsx',
    'kit/ui/tooltip-popup.tsx',
    'site/layout/ui/dock.tsx',
  ])
})
