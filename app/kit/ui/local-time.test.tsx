import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LocalTime } from './relative-time.tsx'

test('a page whose reader isn’t known yet says the time in UTC', () => {
  expect(renderToStaticMarkup(<LocalTime iso="2026-11-27T16:13Z" />)).toBe(
    '<time dateTime="2026-11-27T16:13Z">Nov 27, 2026, 4:13 PM UTC</time>',
  )
})
