import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast, TOAST_FORGOTTEN_MS, toast, watchToasts } from './toast.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  dismissToast()
  vi.runAllTimers()
  vi.useRealTimers()
})

test('a toast appears, reaches its subscribers, and can be dismissed', () => {
  const watcher = vi.fn()
  const unwatch = watchToasts(watcher)
  const id = toast({ title: 'Welcome back!' })
  expect(currentToasts()).toEqual([{ id, open: true, title: 'Welcome back!' }])
  dismissToast(id)
  expect(currentToasts()).toEqual([{ id, open: false, title: 'Welcome back!' }])
  expect(watcher).toHaveBeenCalledTimes(2)
  unwatch()
})

test('Spec §3: a toast has an id, a title, a description and a variant, and is open until dismissed', () => {
  const failed = { id: 'inbox', title: 'Error', description: 'It failed' }
  expect(toast({ ...failed, variant: 'destructive' })).toBe('inbox')
  const open = { ...failed, open: true, variant: 'destructive' }
  expect(currentToasts()).toEqual([open])
  dismissToast('inbox')
  expect(currentToasts()).toEqual([{ ...open, open: false }])
})

test('Spec §4: a dismissed toast is forgotten after a very long delay, and reopens before that', () => {
  toast({ id: 'inbox', title: 'Error' })
  toast({ id: 'update', title: 'New version available' })
  dismissToast('inbox')
  vi.advanceTimersByTime(TOAST_FORGOTTEN_MS - 1)
  expect(currentToasts().map(({ id, open }) => [id, open])).toEqual([
    ['inbox', false],
    ['update', true],
  ])
  toast({ id: 'inbox', title: 'Again' })
  vi.advanceTimersByTime(1)
  expect(currentToasts().map(({ id, open }) => [id, open])).toEqual([
    ['update', true],
    ['inbox', true],
  ])
  dismissToast('update')
  vi.advanceTimersByTime(TOAST_FORGOTTEN_MS)
  expect(currentToasts().map(({ id }) => id)).toEqual(['inbox'])
})

test('the same id updates a toast in its place', () => {
  toast({ id: 'update', title: 'New version available' })
  toast({ title: 'Another' })
  toast({ id: 'update', title: 'Refreshing' })
  expect(currentToasts().map((each) => each.title)).toEqual(['Refreshing', 'Another'])
})

test('dismissing a missing toast reaches no one', () => {
  const watcher = vi.fn()
  const unwatch = watchToasts(watcher)
  dismissToast('never-was')
  expect(watcher).not.toHaveBeenCalled()
  unwatch()
})
