/** Measures that stand in the styles. Spec §2.2, §9. */
import { readFileSync } from 'node:fs'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Button } from './button.tsx'
import { LoadBar } from './load-bar.tsx'
import { THEME_KEY } from './theme.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const css = read('./app.css')

test('Spec §9: the header is 64 px high', () => {
  expect(css).toContain('--spacing-header: 64px;')
})

test('Spec §9: the drawer is 340 px wide, and comes from the right', () => {
  expect(read('./drawer.tsx')).toMatch(/fixed inset-y-0 right-0 [^']*w-\[min\(340px,100vw\)\]/)
})

test('Spec §9: a thin bar grows to 90 percent and is done at 800 ms', () => {
  expect(renderToString(createElement(LoadBar, { path: '/' }))).toContain('animate-load-bar')
  expect(css).toContain('--animate-load-bar: load-bar 1s ')
  const [, steps = ''] = css.split('@keyframes load-bar {')
  expect(steps).toMatch(/60% \{\s*transform: scaleX\(0\.9\);\s*\}/)
  expect(steps).toMatch(/80% \{\s*transform: scaleX\(1\);/)
})

test('Spec §9: the cursor blinks every 500 ms', () => {
  // On for one half of the second, off for the other.
  expect(css).toContain('--animate-blink: blink 1s step-end infinite;')
  expect(css).toMatch(/@keyframes blink \{\s*50% \{\s*box-shadow: none;/)
})

test('Spec §2.2, §9: below 768 px it is a phone', () => {
  expect(css).toContain('--breakpoint-md: 768px;')
})

test('Spec §2.2, §9: toasts stand top-center, 356 px wide, 14 px apart', () => {
  const toaster = read('./toaster.tsx')
  expect(toaster).toMatch(/fixed inset-x-0 top-\[[^\]]+\] [^"]*mx-auto w-\[min\(356px,/)
  expect(toaster).toContain('gap-[14px]')
})

test('Spec §2.4: a busy button is disabled and says what it does', () => {
  const html = renderToString(
    createElement(Button, { type: 'submit', busy: true, busyLabel: 'Signing in...' }, 'Sign in'),
  )
  expect(html).toMatch(/<button [^>]*disabled=""[^>]*>.*Signing in\.\.\.<\/button>/)
})

test('Spec §4: a stored theme counts only if it is light or dark, also before the first paint', () => {
  expect(THEME_KEY).toBe('theme')
  expect(read('./theme.ts')).toContain(
    "stored === 'light' || stored === 'dark' ? stored : 'system'",
  )
  const root = new Set<string>()
  const paint = new Function('localStorage', 'matchMedia', 'document', read('./public/theme.js'))
  const painted = (stored: string | null, prefersDark: boolean) => {
    root.clear()
    paint(
      { getItem: (key: string) => (key === 'theme' ? stored : null) },
      () => ({ matches: prefersDark }),
      {
        documentElement: {
          classList: {
            add: (...names: string[]) => names.forEach((name) => void root.add(name)),
            remove: (...names: string[]) => names.forEach((name) => void root.delete(name)),
          },
        },
        querySelector: () => null,
      },
    )
    return root.has('dark') ? 'dark' : 'light'
  }
  expect(painted('dark', false)).toBe('dark')
  expect(painted('light', true)).toBe('light')
  for (const other of [null, 'system', 'DARK', 'blue']) {
    expect(painted(other, true)).toBe('dark')
    expect(painted(other, false)).toBe('light')
  }
})
