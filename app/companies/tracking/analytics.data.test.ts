/** What refreshing the clicks says. Spec §2.13, §8. */
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { refreshInteractions } from './analytics.data.ts'

beforeEach(() => dismissToast())

/** The toast that is left when the server answers so. */
async function told(answer: () => Promise<unknown>) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retryDelay: 0 } } })
  await refreshInteractions(answer as never, queryClient)
  return currentToasts().filter(({ open }) => open)
}

test('Spec §8: a toast counts the reloaded clicks', async () => {
  expect(await told(async () => ({ interactions: [{}, {}, {}] }))).toMatchObject([
    { title: 'Data refreshed', description: 'Loaded 3 interaction records' },
  ])
})

test('Spec §8: clicks that can’t load are a destructive toast', async () => {
  const failed = async () => {
    throw Object.assign(new Error('No'), { status: 403 })
  }
  expect(await told(failed)).toMatchObject([
    {
      title: 'Error',
      description: 'Failed to load company interaction data.',
      variant: 'destructive',
    },
  ])
})
