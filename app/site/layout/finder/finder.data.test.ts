import { beforeEach, expect, test, vi } from 'vitest'

let typing: boolean
let otherWindow: object | null
let stored: string | null
let press: (event: object) => void
const prevented = vi.fn()

beforeEach(() => {
  typing = false
  otherWindow = null
  stored = null
  prevented.mockClear()
  vi.resetModules()
  vi.stubGlobal('navigator', { platform: 'Linux x86_64' })
  vi.stubGlobal('localStorage', { getItem: () => stored })
  vi.stubGlobal('document', {
    addEventListener: (_: string, listener: typeof press) => {
      press = listener
    },
    querySelector: () => otherWindow,
  })
  return () => vi.unstubAllGlobals()
})

async function listening() {
  const data = await import('./finder.data.ts')
  data.listenForFinder()
  return data
}

const ctrlK = { key: 'k', ctrlKey: true }
const slash = { key: '/' }
function hit(key: object, more: object = {}) {
  const before = prevented.mock.calls.length
  press({ target: { matches: () => typing }, preventDefault: prevented, ...key, ...more })
  return prevented.mock.calls.length > before
}

test('Ctrl-K opens the finder and closes it', async () => {
  const { isFinderShown } = await listening()
  expect(hit(ctrlK)).toBe(true)
  expect(isFinderShown()).toBe(true)
  expect(hit(ctrlK)).toBe(true)
  expect(isFinderShown()).toBe(false)
})

test('"/" opens the finder, never closes it, and is typed into a field', async () => {
  const { isFinderShown } = await listening()
  hit(slash)
  hit(slash)
  expect(isFinderShown()).toBe(true)
  typing = true
  expect(hit(slash)).toBe(false)
})

test('"/" can be switched off, and Ctrl-K stays', async () => {
  const { isFinderShown } = await listening()
  stored = 'off'
  expect(hit(slash)).toBe(false)
  expect(isFinderShown()).toBe(false)
  hit(ctrlK)
  expect(isFinderShown()).toBe(true)
})

test('the finder leaves Ctrl-K to a text editor that makes a link, and ignores a held key', async () => {
  await listening()
  expect(hit(ctrlK, { defaultPrevented: true })).toBe(false)
  expect(hit(ctrlK, { repeat: true })).toBe(false)
})

test('the finder doesn’t open over another window', async () => {
  const { isFinderShown } = await listening()
  otherWindow = {}
  expect(hit(ctrlK)).toBe(false)
  expect(isFinderShown()).toBe(false)
})

test('the finder keeps what’s typed before its code arrives, and Escape closes it', async () => {
  const { isFinderShown, consumeEarlyEnter, finderText } = await listening()
  hit(slash)
  for (const key of ['l', 'x', 'Backspace', 'a', ' ', '/', 'Enter']) expect(hit({ key })).toBe(true)
  for (const other of [{ key: 'Tab' }, { key: 'c', ctrlKey: true }]) expect(hit(other)).toBe(false)
  expect(finderText()).toBe('la /')
  expect([consumeEarlyEnter(), consumeEarlyEnter()]).toEqual([true, false])
  // Once it's shown, its own box has the keys.
  otherWindow = {}
  expect(hit({ key: 'b' })).toBe(false)
  otherWindow = null
  hit({ key: 'Escape' })
  expect(isFinderShown()).toBe(false)
  expect(hit({ key: 'l' })).toBe(false)
})
