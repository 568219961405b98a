/** Whether news comes by mail, as the settings ask and choose: shown at once. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { isLast, mutate } from '#app/api/mutation.ts'
import type { MY_KEY } from '#app/kit/session/live-session.data.ts'
import type { NotificationApi } from './notification.data.ts'
import type { Digest } from './notification.ts'

/** Only its type is imported: its file holds the client of the auth service, which weighs 30 kB. */
const MINE: typeof MY_KEY = 'me'

export const digestQuery = (api: NotificationApi) =>
  queryOptions({
    queryKey: [MINE, 'digest'],
    queryFn: ({ signal }) => api('GET /api/v1/my/digest', { signal }),
  })

/** @throws ApiError, after the former choice has been put back */
export function chooseDigest(
  { api, queryClient }: { api: NotificationApi; queryClient: QueryClient },
  digest: Digest,
) {
  const { queryKey } = digestQuery(api)
  const before = queryClient.getQueryData(queryKey)
  const subject = 'digest'
  return mutate(queryClient, {
    subject,
    mutationFn: () => api('PUT /api/v1/my/digest', { body: { digest } }),
    onMutate: () => queryClient.setQueryData(queryKey, { digest }),
    onSuccess: (chosen) => {
      if (isLast(queryClient, subject)) queryClient.setQueryData(queryKey, chosen)
    },
    onError: () => {
      if (isLast(queryClient, subject)) queryClient.setQueryData(queryKey, before)
    },
  })
}
