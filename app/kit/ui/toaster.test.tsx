/** How many toasts are seen at once, and how an error looks. Spec §3, §9. */
import { renderToString } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { dismissToast, toast } from './toast.ts'
import { Toaster } from './toaster.tsx'

// Something only the browser knows takes the place of the server's response.
vi.mock('react', async (original) => {
  const react = await original<typeof import('react')>()
  return {
    ...react,
    useSyncExternalStore: ((watch, now) =>
      react.useSyncExternalStore(watch, now, now)) as typeof react.useSyncExternalStore,
  }
})
const screen = vi.hoisted(() => ({ isPhone: false }))
vi.mock('./use-screen.ts', () => ({
  usePageHidden: () => false,
  useIsPhone: () => screen.isPhone,
}))
beforeEach(() => {
  dismissToast()
  screen.isPhone = false
})

const shown = () =>
  [...renderToString(<Toaster />).matchAll(/<li class="([^"]*)".*?<p [^>]*>(.*?)<\/p>/gs)]
    .filter(([, look = '']) => !look.split(' ').includes('hidden'))
    .map(([, , title]) => title)

test('Spec §9: the three newest of four toasts show, and a dismissed one makes room', () => {
  for (const title of ['first', 'second', 'third', 'fourth']) toast({ id: title, title })
  expect(shown()).toHaveLength(3)
  expect(shown()).not.toContain('first')
  dismissToast('third')
  expect(shown().toSorted()).toEqual(['first', 'fourth', 'second'])
})

test('on a phone, toasts show one after another, and the one that stays comes last', () => {
  screen.isPhone = true
  toast({ id: 'greeting', title: 'Welcome back!' })
  toast({ id: 'elsewhere', title: 'You may have ratings elsewhere', duration: 0 })
  expect(shown()).toEqual(['Welcome back!'])
  toast({ id: 'failure', title: 'Not saved', variant: 'destructive' })
  expect(shown()).toEqual(['Not saved'])
  dismissToast('failure')
  expect(shown()).toEqual(['Welcome back!'])
  dismissToast('greeting')
  expect(shown()).toEqual(['You may have ratings elsewhere'])
})

test('Spec §3: a destructive toast is read out at once, and another one when there’s time', () => {
  toast({ title: 'Saved' })
  expect(renderToString(<Toaster />)).not.toContain('role="alert"')
  toast({ title: 'Error', variant: 'destructive' })
  expect(renderToString(<Toaster />)).toMatch(
    /role="alert"[^>]*><p class="[^"]*text-danger[^"]*">Error</,
  )
})
