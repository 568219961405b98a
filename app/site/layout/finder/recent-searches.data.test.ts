import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ACCEPTED, customized, REJECTED } from '#app/kit/consent/consent.ts'

let kept: Map<string, string>
beforeEach(() => {
  kept = new Map()
  vi.resetModules()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

async function browser() {
  const { decide } = await import('#app/kit/consent/consent.data.ts')
  return { decide, ...(await import('./ui/finder.tsx')) }
}

test('searches are forgotten with the page without consent to preferences', async () => {
  const { rememberSearch, recentSearches, decide } = await browser()
  rememberSearch('acme')
  decide(REJECTED)
  rememberSearch('tea')
  expect(recentSearches()).toEqual(['tea', 'acme'])
  expect(kept.has('recentSearches')).toBe(false)
})

test('searches stay in this browser with consent to preferences', async () => {
  const { rememberSearch, decide } = await browser()
  decide(ACCEPTED)
  rememberSearch('acme')
  vi.resetModules()
  expect((await browser()).recentSearches()).toEqual(['acme'])
})

test('searches go when consent is withdrawn', async () => {
  const { rememberSearch, decide } = await browser()
  decide(ACCEPTED)
  rememberSearch('acme')
  decide(customized({ analytics: true, marketing: true, preferences: false }))
  expect(kept.has('recentSearches')).toBe(false)
})

test('clearing leaves no searches', async () => {
  const { rememberSearch, forgetSearches, recentSearches, decide } = await browser()
  decide(ACCEPTED)
  rememberSearch('acme')
  forgetSearches()
  expect(recentSearches()).toEqual([])
  expect(kept.has('recentSearches')).toBe(false)
})

test('a browser that can’t store anything remembers searches until the page closes', async () => {
  const { rememberSearch, recentSearches, decide } = await browser()
  decide(ACCEPTED)
  vi.stubGlobal('localStorage', undefined)
  rememberSearch('acme')
  expect(recentSearches()).toEqual(['acme'])
})
