import { expect, test } from 'vitest'
import { isLocalPath } from './local-path.ts'

test.each(['/', '/companies', '/companies?search=a%20b', '/acme#ratings', '/%5Cevil.example'])(
  '%s leads within the site',
  (path) => expect(isLocalPath(path)).toBe(true),
)

test.each([
  '',
  'companies',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/a\\b',
  '/\n',
  'https://evil.example/',
  'javascript:alert(1)',
])('%j does not', (path) => expect(isLocalPath(path)).toBe(false))
