import type { MutationOptions, QueryClient } from '@tanstack/react-query'

/**
 * Runs optimistic mutations one by one per subject, so the last press is the last to arrive.
 * Without `useMutation`, whose observer weighs 1.6 kB, as no screen shows their progress.
 * @throws what `mutationFn` threw
 */
export const mutate = <Answer, Before>(
  client: QueryClient,
  { subject, ...options }: { subject: string } & MutationOptions<Answer, Error, void, Before>,
) =>
  client
    .getMutationCache()
    .build(client, {
      ...options,
      mutationKey: [subject],
      scope: { id: subject },
      // Offline it fails at once, as nothing would show that it waits.
      networkMode: 'always',
    })
    .execute()

/** For `onSuccess` and `onError`: whether no newer mutation of the subject is pending. */
export const isLast = (client: QueryClient, subject: string) =>
  client.isMutating({ mutationKey: [subject] }) === 1
