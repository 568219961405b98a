import type { MutationOptions, QueryClient } from '@tanstack/react-query'

/**
 * Runs a subject's optimistic mutations one by one, so the last press is the last to arrive. We don't use
 * `useMutation`, because its observer weighs 1.6 kB and no screen shows their progress.
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
      // Fails immediately when offline, because nothing would show that it's waiting.
      networkMode: 'always',
    })
    .execute()

/** Tells `onSuccess` and `onError` whether no newer mutation of the subject is pending. */
export const isLast = (client: QueryClient, subject: string) =>
  client.isMutating({ mutationKey: [subject] }) === 1
