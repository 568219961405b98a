import { queryOptions } from '@tanstack/react-query'
import type { Output } from '#app/api/contract.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { storedValue, storedValues, useStored } from '#app/kit/ui/stored-value.ts'
import type { CredentialContract } from './credential.contract.ts'
import { type Holder, storedHolder, useHolder } from './holder.data.ts'
import type { CredentialApi } from './issuing.data.ts'
import type { Submission } from './rated.ts'

export type OwnCredential = Output<CredentialContract['GET /api/v1/my/credential']>

export const ownCredentialQuery = (api: CredentialApi, sessionKey: string) =>
  queryOptions({
    queryKey: [MY_KEY, 'credential', sessionKey],
    queryFn: () => api('GET /api/v1/my/credential'),
    // Another device may back one up at any time.
    staleTime: 0,
  })

/** Where a person's secret is, as this browser sees it. `refused` means the account has a different one. */
type SecretLocation = 'nowhere' | 'here' | 'elsewhere' | 'refused'

export function secretLocation(
  { isCommitted }: Pick<OwnCredential, 'isCommitted'>,
  holder: Holder | null,
): SecretLocation {
  if (!isCommitted) return 'nowhere'
  if (!holder) return 'elsewhere'
  return holder.isRefused ? 'refused' : 'here'
}

interface KnownElsewhere {
  /** The login that this answer belongs to, in ms since 1970. */
  loginAt: number
  isElsewhere: boolean
  isTold?: true
}

const elsewhereBy = storedValues('kettle-elsewhere:', (stored): KnownElsewhere | null => {
  try {
    const known = JSON.parse(stored ?? 'null')
    return typeof known?.loginAt === 'number' ? known : null
  } catch {
    return null
  }
})

/**
 * Asks once for each login whether the account's secret is on another device. Never later, because asking when a
 * company or a rating form opens would reveal who wants to rate.
 * @throws ApiError
 */
export async function checkElsewhere(api: CredentialApi, sessionKey: string, loginAt: number) {
  if (storedHolder(sessionKey) || elsewhereBy(sessionKey).current()?.loginAt === loginAt) return
  const { isCommitted } = await api('GET /api/v1/my/credential')
  elsewhereBy(sessionKey).change((before) => ({ ...before, loginAt, isElsewhere: isCommitted }))
}

/** Called when issuing finds that another device has the secret. */
export const markElsewhere = (sessionKey: string) =>
  elsewhereBy(sessionKey).change((before) => ({ loginAt: 0, ...before, isElsewhere: true }))

/** Whether another device has the secret that the account uses, as far as this browser knows. */
export function useSecretElsewhere(sessionKey: string): boolean {
  const holder = useHolder(sessionKey)
  const known = useStored(elsewhereBy(sessionKey))
  return holder ? holder.isRefused === true : known?.isElsewhere === true
}

/** @returns whether this is the first time on this device, which is when we show the notice after logging in */
export function markTold(sessionKey: string): boolean {
  const isFirst = !elsewhereBy(sessionKey).current()?.isTold
  elsewhereBy(sessionKey).change((before) => ({
    loginAt: 0,
    isElsewhere: true,
    ...before,
    isTold: true,
  }))
  return isFirst
}

export type MovedRating = Pick<Submission, 'name' | 'path' | 'formerIds' | 'onServer'> & {
  id: string
}

/** What another device hands over: see handover.data.ts. */
export interface Handover {
  m1: string
  r: string
  rated: MovedRating[]
}

/** Kept in this tab until the person has logged in and decided. */
const waiting = storedValue(
  'kettle-handover',
  (stored): Handover | null => {
    try {
      const read = JSON.parse(stored ?? 'null')
      return typeof read?.m1 === 'string' && Array.isArray(read.rated) ? read : null
    } catch {
      return null
    }
  },
  undefined,
  () => sessionStorage,
)
export const useHandover = () => useStored(waiting)
export const keepHandover = (handover: Handover) => waiting.change(() => handover)
export const dropHandover = () => waiting.change(() => null)
