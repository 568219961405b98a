import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ACCEPTED, customized, PENDING, REJECTED } from './consent.ts'

let kept: Map<string, string>
/** What another tab does is told by an event. */
let tellOtherTab: (event: { key: string | null }) => void

beforeEach(() => {
  kept = new Map()
  vi.resetModules()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('addEventListener', (_: string, listener: typeof tellOtherTab) => {
    tellOtherTab = listener
  })
  vi.stubGlobal('removeEventListener', () => {})
})
afterEach(() => vi.unstubAllGlobals())

const consentData = () => import('./consent.data.ts')

describe('Spec §4: any answer is stored locally', () => {
  test.each([
    [ACCEPTED, 'accepted', '{"analytics":true,"marketing":true,"preferences":true}'],
    [REJECTED, 'rejected', '{"analytics":false,"marketing":false,"preferences":false}'],
    [
      customized({ analytics: true, marketing: false, preferences: false }),
      'customized',
      '{"analytics":true,"marketing":false,"preferences":false}',
    ],
  ])('any answer is stored locally: %o', async (consent, status, preferences) => {
    const { currentConsent, decide } = await consentData()
    expect(currentConsent()).toEqual(PENDING)
    expect(kept.size).toBe(0)
    decide(consent)
    expect(Object.fromEntries(kept)).toEqual({
      cookieConsent: status,
      cookiePreferences: preferences,
    })
    expect(currentConsent()).toEqual(consent)
    // The same object each time, or React would never stop rendering.
    expect(currentConsent()).toBe(currentConsent())
  })
})

test('other tabs follow, even when one clears everything', async () => {
  const { currentConsent, decide, watchConsent } = await consentData()
  const heard: string[] = []
  watchConsent(() => heard.push(currentConsent().consentStatus))
  decide(ACCEPTED)
  kept.set('cookieConsent', 'rejected')
  tellOtherTab({ key: 'cookieConsent' })
  kept.clear()
  tellOtherTab({ key: null })
  tellOtherTab({ key: 'theme' })
  expect(heard).toEqual(['accepted', 'rejected', 'pending'])
})

test('the answer lasts until the page closes if it can’t be stored', async () => {
  vi.stubGlobal('localStorage', undefined)
  const { currentConsent, decide } = await consentData()
  expect(currentConsent()).toEqual(PENDING)
  decide(REJECTED)
  expect(currentConsent()).toEqual(REJECTED)
})
