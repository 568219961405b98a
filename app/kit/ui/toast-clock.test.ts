import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast, TOAST_MS, type Toast, toast } from './toast.ts'
import { createToastClock } from './toaster.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  dismissToast()
  vi.runAllTimers()
  vi.useRealTimers()
})

const open = () => currentToasts().filter(({ open }) => open)
const shown = () => open().map(({ title }) => title)

/** The toast currently on screen. */
const only = () => open()[0] as Toast

test('Spec §9: a toast disappears when its time is up', () => {
  toast({ title: 'Saved' })
  createToastClock()(only())
  vi.advanceTimersByTime(TOAST_MS - 1)
  expect(shown()).toEqual(['Saved'])
  vi.advanceTimersByTime(1)
  expect(shown()).toEqual([])
})

test('a toast’s time stops while it’s paused', () => {
  toast({ title: 'Saved' })
  const run = createToastClock()
  const stop = run(only())
  vi.advanceTimersByTime(TOAST_MS - 100)
  stop?.()
  vi.advanceTimersByTime(60_000)
  expect(shown()).toEqual(['Saved'])
  run(only())
  vi.advanceTimersByTime(100)
  expect(shown()).toEqual([])
})

test('a toast that waits for its outcome stays, and the outcome has its whole time', () => {
  const id = toast({ title: 'Deleting...', duration: 0 })
  const run = createToastClock()
  const stop = run(only())
  vi.advanceTimersByTime(60_000)
  expect(shown()).toEqual(['Deleting...'])

  toast({ id, title: 'Deleted' })
  stop?.()
  run(only())
  vi.advanceTimersByTime(TOAST_MS - 1)
  expect(shown()).toEqual(['Deleted'])
  vi.advanceTimersByTime(1)
  expect(shown()).toEqual([])
})

test('a second toast in the same place doesn’t end with the first one’s time', () => {
  toast({ id: 'refresh', title: 'Refreshing' })
  const run = createToastClock()
  const stop = run(only())
  vi.advanceTimersByTime(TOAST_MS - 100)
  toast({ id: 'refresh', title: 'Loaded 3 interactions' })
  stop?.()
  run(only())
  vi.advanceTimersByTime(TOAST_MS - 1)
  expect(shown()).toEqual(['Loaded 3 interactions'])
})
