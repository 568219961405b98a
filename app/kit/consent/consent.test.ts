import { describe, expect, test } from 'vitest'
import {
  ACCEPTED,
  BANNER_TEXTS,
  CATEGORIES,
  CONSENT_KEY,
  customized,
  DIALOG_TEXTS,
  PENDING,
  PREFERENCES_KEY,
  REJECTED,
  signalsOf,
  storedConsent,
} from './consent.ts'

test('Spec §3: the browser’s storage has these keys', () => {
  expect([CONSENT_KEY, PREFERENCES_KEY]).toEqual(['cookieConsent', 'cookiePreferences'])
})

describe('Spec §2.18: the words', () => {
  test('the banner’s buttons are accept, reject and customize', () => {
    const { accept, reject, customize } = BANNER_TEXTS
    expect([accept, reject, customize]).toEqual(['Accept All', 'Reject All', 'Customize'])
  })

  test('the dialog has four categories in order, Cancel and Save Preferences', () => {
    expect(DIALOG_TEXTS.title).toBe('Cookie Preferences')
    expect(CATEGORIES.map(({ name }) => name)).toEqual([
      'Essential',
      'Analytics',
      'Preference',
      'Marketing',
    ])
    expect([DIALOG_TEXTS.cancel, DIALOG_TEXTS.save]).toEqual(['Cancel', 'Save Preferences'])
  })
})

describe('Spec §4: cookie consent', () => {
  const off = { analytics: false, marketing: false, preferences: false }

  test('consent starts pending, with everything off (Spec §3)', () => {
    expect(PENDING).toEqual({ consentStatus: 'pending', preferences: off })
    expect(storedConsent(null, null)).toEqual(PENDING)
  })

  test('accepted consent is all three on, rejected all off, customized the chosen switches', () => {
    expect(ACCEPTED.preferences).toEqual({ analytics: true, marketing: true, preferences: true })
    expect(REJECTED.preferences).toEqual(off)
    expect(customized({ ...off, analytics: true })).toEqual({
      consentStatus: 'customized',
      preferences: { ...off, analytics: true },
    })
  })

  test('stored consent is read back', () => {
    for (const consent of [ACCEPTED, REJECTED, customized({ ...off, marketing: true })])
      expect(storedConsent(consent.consentStatus, JSON.stringify(consent.preferences))).toEqual(
        consent,
      )
  })

  test.each([
    ['', null],
    ['true', null],
    ['pending', JSON.stringify(ACCEPTED.preferences)],
    ['ACCEPTED', null],
    ['customized', null],
    ['customized', '{'],
    ['customized', 'null'],
    ['customized', '[]'],
    ['customized', '{"analytics":true}'],
    ['customized', '{"analytics":"yes","marketing":false,"preferences":false}'],
  ])('nonsense is no consent: %s with %s', (status, preferences) => {
    expect(storedConsent(status, preferences)).toEqual(PENDING)
  })

  test('other fields stored beside the switches are dropped', () => {
    const stored = JSON.stringify({ ...off, everything: true })
    expect(storedConsent('customized', stored).preferences).toEqual(off)
  })
})

describe('Spec §4, S20: consent signals', () => {
  test('accepted consent grants all signals', () => {
    expect(signalsOf(ACCEPTED)).toEqual({
      analytics_storage: 'granted',
      ad_storage: 'granted',
      ad_user_data: 'granted',
      ad_personalization: 'granted',
      functionality_storage: 'granted',
      personalization_storage: 'granted',
      security_storage: 'granted',
    })
  })

  test('rejected consent denies all signals but the security one, which is always granted', () => {
    const denied = {
      analytics_storage: 'denied',
      ad_storage: 'denied',
      ad_user_data: 'denied',
      ad_personalization: 'denied',
      functionality_storage: 'denied',
      personalization_storage: 'denied',
      security_storage: 'granted',
    }
    expect(signalsOf(REJECTED)).toEqual(denied)
    expect(signalsOf(PENDING)).toEqual(denied)
  })

  test.each([
    ['analytics', ['analytics_storage']],
    ['marketing', ['ad_storage', 'ad_user_data', 'ad_personalization']],
    ['preferences', ['functionality_storage', 'personalization_storage']],
  ] as const)('customized consent grants the signals of %s', (key, granted) => {
    const signals = signalsOf(customized({ ...PENDING.preferences, [key]: true }))
    const found = Object.entries(signals)
      .filter(([, signal]) => signal === 'granted')
      .map(([name]) => name)
    expect(found).toEqual([...granted, 'security_storage'])
  })
})
