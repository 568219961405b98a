/**
 * What a person rates with: a secret that never leaves this browser, and a credential for it.
 * Light: the curve's code comes with issuing.data.ts.
 */
import { isQuarterAround } from '#app/api/credential/quarter.ts'
import { storedValues, useStored } from '#app/kit/ui/stored-value.ts'

/** All in base64url. */
export interface Holder {
  /** 32 bytes each: the secret, and what opens the account's commitment to it. */
  m1: string
  r: string
  /** The last one issued. */
  credential?: {
    quarter: string
    /** The issuer's whole key. */
    publicKey: string
    /** Two group elements, U and UPrime. */
    issued: string
    /** When to renew, in ms since 1970. Chosen at random when it was issued. */
    renewAt?: number
  }
  /** The account has a different secret, from another device. */
  isRefused?: true
  /** The account is deleted. The secret stays until everything that needs it is sent. */
  isLeft?: true
}

/** One per person, as people may share a browser. */
const PREFIX = 'kettle-holder:'
const holderOf = storedValues(PREFIX, holderIn)

function holderIn(stored: string | null): Holder | null {
  try {
    const { m1, r, credential, isRefused, isLeft } = JSON.parse(stored ?? 'null') ?? {}
    if (!isScalarText(m1) || !isScalarText(r)) return null
    return {
      m1,
      r,
      ...(isCredential(credential) && { credential }),
      ...(isRefused === true && { isRefused }),
      ...(isLeft === true && { isLeft }),
    }
  } catch {
    return null
  }
}

const isText = (length: number, value: unknown): value is string =>
  typeof value === 'string' && value.length === length && /^[\w-]+$/.test(value)
const isScalarText = (value: unknown) => isText(43, value)

const isCredential = (value: Partial<NonNullable<Holder['credential']>> | undefined) =>
  typeof value?.quarter === 'string' && isText(132, value.publicKey) && isText(88, value.issued)

/** @param who as from `useSessionKey` */
export const storedHolder = (who: string): Holder | null => holderOf(who).current()

/** The hook follows changes in other tabs too. */
export const useHolder = (who: string): Holder | null => useStored(holderOf(who))

/** @returns false if the browser would forget it with the page */
export function storeHolder(who: string, holder: Holder): boolean {
  holderOf(who).change(() => holder)
  try {
    return localStorage.getItem(PREFIX + who) !== null
  } catch {
    return false
  }
}

export const forgetHolder = (who: string) => holderOf(who).change(() => null)

export const watchHolder = (who: string, watcher: () => void) => holderOf(who).watch(watcher)

/** Whether the credential has expired and no new one has come. */
export const awaitsCredential = (holder: Holder | null) =>
  holder?.credential !== undefined && !isQuarterAround(holder.credential.quarter, todayHere())

/** Today by this browser's clock, in the server's time zone. */
export const todayHere = () => new Date().toISOString().slice(0, 10)
