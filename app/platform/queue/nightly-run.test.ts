import { expect, test } from 'vitest'
import { readConfig } from '../operations/config.server.ts'
import { nightOf } from './nightly-run.server.ts'

test.each([
  ['2026-03-14T03:29:59', '03:30', '2026-03-13'],
  ['2026-03-14T03:30:00', '03:30', '2026-03-14'],
  ['2026-03-01T00:10:00', '03:30', '2026-02-28'],
  ['2026-03-14T23:59:00', '23:58', '2026-03-14'],
  ['2026-03-14T00:00:00', '00:00', '2026-03-14'],
])('the last night at %s, if it began at %s, is that of %s', (now, NIGHTLY_AT, night) => {
  // By the clock of the server, wherever that stands.
  expect(nightOf(new Date(now), readConfig({ NIGHTLY_AT }).nightlyAt)).toBe(night)
})
