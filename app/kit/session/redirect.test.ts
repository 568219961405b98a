import { expect, test } from 'vitest'
import { safeRedirect } from './redirect.ts'

test.each(['/', '/companies?search=bank', '/settings#account', '/caf%C3%A9', '/a//b'])(
  'signing in leads to %s',
  (path) => {
    expect(safeRedirect(path)).toBe(path)
  },
)

test.each([
  undefined,
  '',
  'companies',
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'javascript:alert(1)',
  '\\\\evil.example',
])('a redirect that could leave the site leads home: %j', (path) => {
  expect(safeRedirect(path)).toBe('/')
})
