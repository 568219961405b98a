/** What the account knows of its secret, and what that means for this browser. Light: nothing is opened here. */
import { queryOptions } from '@tanstack/react-query'
import type { Answer } from '#app/api/contract.ts'
import type { MY_KEY } from '#app/kit/session/live-session.data.ts'
import type { CredentialContract } from './credential.contract.ts'
import type { Holder } from './holder.data.ts'
import type { CredentialApi } from './issuing.data.ts'

/** Only its type is imported: its file is heavy. */
const MINE: typeof MY_KEY = 'me'

export type OwnCredential = Answer<CredentialContract['GET /api/v1/my/credential']>

export const ownCredentialQuery = (api: CredentialApi, who: string) =>
  queryOptions({
    queryKey: [MINE, 'credential', who],
    queryFn: () => api('GET /api/v1/my/credential'),
    // Another device may keep one at any time.
    staleTime: 0,
  })

/** `refused`: the account has another secret than this browser. */
type SecretPlace = 'nowhere' | 'here' | 'elsewhere' | 'refused'

/** Where a person's secret is, seen from this browser. */
export function placeOfSecret(
  { isCommitted }: Pick<OwnCredential, 'isCommitted'>,
  holder: Holder | null,
): SecretPlace {
  if (!isCommitted) return 'nowhere'
  if (!holder) return 'elsewhere'
  return holder.isRefused ? 'refused' : 'here'
}

/** False at an address without https, where a browser encrypts nothing. */
export const canSeal = () => globalThis.crypto?.subtle !== undefined
