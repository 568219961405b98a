import { queryOptions } from '@tanstack/react-query'
import type { Answer } from '#app/api/contract.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import type { CredentialContract } from './credential.contract.ts'
import type { Holder } from './holder.data.ts'
import type { CredentialApi } from './issuing.data.ts'

export type OwnCredential = Answer<CredentialContract['GET /api/v1/my/credential']>

export const ownCredentialQuery = (api: CredentialApi, who: string) =>
  queryOptions({
    queryKey: [MY_KEY, 'credential', who],
    queryFn: () => api('GET /api/v1/my/credential'),
    // Another device may back one up at any time.
    staleTime: 0,
  })

/** Where a person's secret is, seen from this browser. `refused`: the account has a different one. */
type SecretLocation = 'nowhere' | 'here' | 'elsewhere' | 'refused'

export function secretLocation(
  { isCommitted }: Pick<OwnCredential, 'isCommitted'>,
  holder: Holder | null,
): SecretLocation {
  if (!isCommitted) return 'nowhere'
  if (!holder) return 'elsewhere'
  return holder.isRefused ? 'refused' : 'here'
}
