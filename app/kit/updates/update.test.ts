import { describe, expect, test } from 'vitest'
import {
  asSecondChecker,
  BADGE_CHECK_MS,
  BUILD_INFO_PATH,
  buildIn,
  CERTIFICATE_TEXTS,
  CERTIFICATE_WARNING,
  CERTIFICATE_WARNING_DELAY_MS,
  CHECK_TIMEOUT_MS,
  certificateAfter,
  FAILURES_SHOWN,
  FAVICON_PATH,
  fallbackLabel,
  isUnsaved,
  LAST_BUILD_KEY,
  meaningOf,
  RELOADER_CHECK_MS,
  RELOADING,
  UNAVAILABLE_LOG_MS,
  UPDATE_TEXTS,
} from './update.ts'

test('Spec §3: the browser stores the last seen build under its key', () => {
  expect(LAST_BUILD_KEY).toBe('last_build_time')
})

test('Spec §9: the badge checks every 60 s, the auto-reloader every 2 minutes, for 5 s each', () => {
  expect([BADGE_CHECK_MS, RELOADER_CHECK_MS, CHECK_TIMEOUT_MS]).toEqual([60_000, 120_000, 5000])
})

test('Spec §9: the badge hides after more than 3 failures, and unavailability is logged after 10 minutes', () => {
  expect([FAILURES_SHOWN, UNAVAILABLE_LOG_MS]).toEqual([3, 10 * 60_000])
})

test('Spec §9: the certificate warning comes after 2 s and lasts 8 s', () => {
  expect([CERTIFICATE_WARNING_DELAY_MS, CERTIFICATE_WARNING.duration]).toEqual([2000, 8000])
})

test('Spec §7.4: the check requests the build info, or else the favicon', () => {
  expect([BUILD_INFO_PATH, FAVICON_PATH]).toEqual(['/build-time.json', '/favicon.svg'])
})

describe('the texts', () => {
  test('Spec §2.19: the badge has its texts', () => {
    expect(UPDATE_TEXTS.published).toBe('Last published:')
    expect(CERTIFICATE_TEXTS.badge).toBe('SSL Certificate Issue')
  })

  test('Spec §4: the badge and the auto-reloader announce a new version in their words', () => {
    expect(UPDATE_TEXTS.news).toBe('New version available')
    expect(UPDATE_TEXTS.badge).toBe('Click refresh to see the latest changes')
    expect([RELOADING.title, RELOADING.description]).toEqual([
      'New version available',
      'Refreshing to get the latest changes...',
    ])
  })

  test('Spec §8: the certificate warning has its texts', () => {
    expect(CERTIFICATE_WARNING.title).toBe('SSL Certificate Issue Detected')
  })

  test('S21: a button names the hosting provider’s subdomain it leads to', () => {
    expect(fallbackLabel('https://kettle.host.example')).toBe('Use kettle.host.example')
  })
})

describe('Spec §4: a published timestamp', () => {
  const own = 100

  test('a timestamp that’s the page’s own is no news', () => {
    expect(meaningOf(100, { own, known: 100 })).toBe('current')
    // A first visit, or the first one since a deployment.
    expect(meaningOf(100, { own })).toBe('current')
    expect(meaningOf(100, { own, known: 90 })).toBe('current')
  })

  test('a timestamp that differs from the stored one is new', () => {
    expect(meaningOf(200, { own, known: 100 })).toBe('new')
    expect(meaningOf(200, { own, known: 90 })).toBe('new')
    // Taken back to an older build: differs too.
    expect(meaningOf(90, { own, known: 100 })).toBe('new')
  })

  test('a timestamp that was announced before isn’t announced again, and reloads nothing', () => {
    expect(meaningOf(200, { own, known: 200 })).toBe('known')
  })
})

test.each([
  [{ buildTime: '2026-01-15T10:00:00.000Z', timestamp: 5 }, true],
  [{ buildTime: 'yesterday', timestamp: 5 }, false],
  [{ buildTime: '2026-01-15T10:00:00.000Z', timestamp: '5' }, false],
  [{ timestamp: 5 }, false],
  [null, false],
  [undefined, false],
  ['<!doctype html>', false],
])('Spec §3: the build info is a buildTime and a timestamp: %j', (json, isOne) => {
  expect(buildIn(json) !== undefined).toBe(isOne)
})

describe('Spec §4: certificate status', () => {
  const https = { isHttps: true, isOnline: true }
  const build = { build: { buildTime: '2026-01-15T10:00:00.000Z', timestamp: 5 } }

  test('the certificate is ok after any answer over https', () => {
    expect(certificateAfter(build, https)).toBe('ok')
    expect(certificateAfter({ failure: 'refused' }, https)).toBe('ok')
  })

  test('the certificate is certificate-issue if the connection breaks despite a network', () => {
    expect(certificateAfter({ failure: 'network' }, https)).toBe('certificate-issue')
  })

  test('the certificate is unknown if it could be something else', () => {
    expect(certificateAfter({ failure: 'timeout' }, https)).toBe('unknown')
    expect(certificateAfter({ failure: 'network' }, { ...https, isOnline: false })).toBe('unknown')
    expect(certificateAfter({ failure: 'network' }, { ...https, isHttps: false })).toBe('unknown')
    expect(certificateAfter(build, { ...https, isHttps: false })).toBe('unknown')
  })

  test('the second checker says provisioning instead of certificate-issue', () => {
    expect(asSecondChecker('certificate-issue')).toBe('provisioning')
    expect(asSecondChecker('ok')).toBe('ok')
    expect(asSecondChecker('unknown')).toBe('unknown')
  })
})

describe('what a reload would take from somebody', () => {
  test.each([
    ['a text that was begun', { kind: 'area', value: 'Half a sen' }, true],
    [
      'one that was restored and not touched',
      { kind: 'area', value: 'Kept', before: 'Kept' },
      true,
    ],
    ['an empty box', { kind: 'area', value: ' \n' }, false],
    ['a line that was typed', { kind: 'line', value: 'Title', before: '' }, true],
    ['a line as it came', { kind: 'line', value: 'dana' }, false],
    ['a line that was left as it was', { kind: 'line', value: 'dana', before: 'dana' }, false],
    ['a line that was cleared', { kind: 'line', value: '', before: 'dana' }, false],
    ['a choice that was changed', { kind: 'choice', value: 'true', before: 'false' }, true],
    ['a choice as it came', { kind: 'choice', value: 'true' }, false],
    ['what is being looked for', { kind: 'search', value: 'acme', isFocused: true }, true],
    ['what was looked for', { kind: 'search', value: 'acme' }, false],
    ['an empty search', { kind: 'search', value: '', isFocused: true }, false],
  ] as const)('%s', (_, field, isOne) => {
    expect(isUnsaved(field)).toBe(isOne)
  })
})
