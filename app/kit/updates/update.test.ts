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

test('Spec §3: the key of the build that was seen last', () => {
  expect(LAST_BUILD_KEY).toBe('last_build_time')
})

test('Spec §9: the badge looks every 60 s, the auto-reloader every 2 minutes, for 5 s each', () => {
  expect([BADGE_CHECK_MS, RELOADER_CHECK_MS, CHECK_TIMEOUT_MS]).toEqual([60_000, 120_000, 5000])
})

test('Spec §9: the badge hides after more than 3 failures, unavailability is logged after 10 minutes', () => {
  expect([FAILURES_SHOWN, UNAVAILABLE_LOG_MS]).toEqual([3, 10 * 60_000])
})

test('Spec §9: the certificate warning comes after 2 s and lasts 8 s', () => {
  expect([CERTIFICATE_WARNING_DELAY_MS, CERTIFICATE_WARNING.duration]).toEqual([2000, 8000])
})

test('Spec §7.4: the build info is asked for, or the favicon', () => {
  expect([BUILD_INFO_PATH, FAVICON_PATH]).toEqual(['/build-time.json', '/favicon.svg'])
})

describe('the words', () => {
  test('Spec §2.19: the badge', () => {
    expect(UPDATE_TEXTS.published).toBe('Last published:')
    expect(CERTIFICATE_TEXTS.badge).toBe('SSL Certificate Issue')
  })

  test('Spec §4: a new version, as the badge and as the auto-reloader say it', () => {
    expect(UPDATE_TEXTS.news).toBe('New version available')
    expect(UPDATE_TEXTS.badge).toBe('Click refresh to see the latest changes')
    expect([RELOADING.title, RELOADING.description]).toEqual([
      'New version available',
      'Refreshing to get the latest changes...',
    ])
  })

  test('Spec §8: the certificate warning', () => {
    expect(CERTIFICATE_WARNING.title).toBe('SSL Certificate Issue Detected')
  })

  test('S21: the button to the hosting provider’s subdomain names it', () => {
    expect(fallbackLabel('https://kettle.host.example')).toBe('Use kettle.host.example')
  })
})

describe('Spec §4: a published timestamp', () => {
  const own = 100

  test('that is the page’s own is no news', () => {
    expect(meaningOf(100, { own, known: 100 })).toBe('current')
    // A first visit, or the first one since a deployment.
    expect(meaningOf(100, { own })).toBe('current')
    expect(meaningOf(100, { own, known: 90 })).toBe('current')
  })

  test('that differs from the stored one is new', () => {
    expect(meaningOf(200, { own, known: 100 })).toBe('new')
    expect(meaningOf(200, { own, known: 90 })).toBe('new')
    // Taken back to an older build: differs too.
    expect(meaningOf(90, { own, known: 100 })).toBe('new')
  })

  test('that was announced before is told no second time, and reloads nothing again', () => {
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
])('Spec §3: build info is a buildTime and a timestamp: %j', (json, isOne) => {
  expect(buildIn(json) !== undefined).toBe(isOne)
})

describe('Spec §4: certificate status', () => {
  const https = { isHttps: true, isOnline: true }
  const build = { build: { buildTime: '2026-01-15T10:00:00.000Z', timestamp: 5 } }

  test('ok after any answer over https', () => {
    expect(certificateAfter(build, https)).toBe('ok')
    expect(certificateAfter({ failure: 'refused' }, https)).toBe('ok')
  })

  test('certificate-issue where the connection breaks though there is a network', () => {
    expect(certificateAfter({ failure: 'network' }, https)).toBe('certificate-issue')
  })

  test('unknown where it could as well be something else', () => {
    expect(certificateAfter({ failure: 'timeout' }, https)).toBe('unknown')
    expect(certificateAfter({ failure: 'network' }, { ...https, isOnline: false })).toBe('unknown')
    expect(certificateAfter({ failure: 'network' }, { ...https, isHttps: false })).toBe('unknown')
    expect(certificateAfter(build, { ...https, isHttps: false })).toBe('unknown')
  })

  test('the second checker says provisioning in place of certificate-issue', () => {
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
