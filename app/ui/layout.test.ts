/** A busy button, and the theme before the first paint. Spec §2.4, §4. */
import { readFileSync } from 'node:fs'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Button } from './button.tsx'
import { THEME_KEY } from './theme.ts'

test('Spec §2.4: a busy button is disabled and says what it does', () => {
  const html = renderToString(
    createElement(Button, { type: 'submit', busy: true, busyLabel: 'Signing in...' }, 'Sign in'),
  )
  expect(html).toMatch(/<button [^>]*disabled=""[^>]*>.*Signing in\.\.\.<\/button>/)
})

const themeScript = readFileSync(new URL('./public/theme.js', import.meta.url), 'utf8')

test('Spec §4: a stored theme counts only if it is light or dark, also before the first paint', () => {
  expect(THEME_KEY).toBe('theme')
  const root = new Set<string>()
  const paint = new Function('localStorage', 'matchMedia', 'document', themeScript)
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
