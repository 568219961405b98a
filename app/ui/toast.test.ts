import { afterEach, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast, toast, watchToasts } from './toast.ts'

afterEach(() => dismissToast())

test('a toast appears, is told to those who watch, and can be dismissed', () => {
  const watcher = vi.fn()
  const unwatch = watchToasts(watcher)
  const id = toast({ title: 'Welcome back!' })
  expect(currentToasts()).toEqual([{ id, title: 'Welcome back!' }])
  dismissToast(id)
  expect(currentToasts()).toEqual([])
  expect(watcher).toHaveBeenCalledTimes(2)
  unwatch()
})

test('Spec §3: a toast has an id, a title, a description and a variant, and is open until it is dismissed', () => {
  const failed = { id: 'inbox', title: 'Error', description: 'It failed' }
  expect(toast({ ...failed, variant: 'destructive' })).toBe('inbox')
  expect(currentToasts()).toEqual([{ ...failed, variant: 'destructive' }])
  dismissToast('inbox')
  expect(currentToasts()).toEqual([])
})

test('the same id updates a toast in its place', () => {
  toast({ id: 'update', title: 'New version available' })
  toast({ title: 'Another' })
  toast({ id: 'update', title: 'Refreshing' })
  expect(currentToasts().map((each) => each.title)).toEqual(['Refreshing', 'Another'])
})

test('dismissing what is gone tells nobody', () => {
  const watcher = vi.fn()
  const unwatch = watchToasts(watcher)
  dismissToast('never-was')
  expect(watcher).not.toHaveBeenCalled()
  unwatch()
})
