import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { chooseDigest, digestQuery } from './digest.data.ts'
import type { NotificationApi } from './notification.data.ts'

test('a choice of mails that is refused is put back', async () => {
  const queryClient = new QueryClient()
  const api = vi.fn().mockRejectedValue(new Error('refused')) as unknown as NotificationApi
  const { queryKey } = digestQuery(api)
  queryClient.setQueryData(queryKey, { digest: 'off' })
  const choosing = chooseDigest({ api, queryClient }, 'daily')
  expect(queryClient.getQueryData(queryKey)).toEqual({ digest: 'daily' })
  await expect(choosing).rejects.toThrow('refused')
  expect(queryClient.getQueryData(queryKey)).toEqual({ digest: 'off' })
})
