/**
 * What this browser holds for a person to rate with: a secret that nobody else learns, and the credential over it. Light:
 * the curve's code comes with issuing.data.ts.
 */
import { isQuarterAround } from '#app/api/credential/quarter.ts'
import { storedValues, useStored } from '#app/kit/ui/stored-value.ts'

/** All in base64url. */
export interface Holder {
  /** 32 bytes each: the secret, and what opens the commitment to it that the account keeps. */
  m1: string
  r: string
  /** The last one that was issued over it. */
  credential?: {
    quarter: string
    /** The issuer's, all of it. */
    publicKey: string
    /** Two elements: U and UPrime. */
    issued: string
    /** When the next one is asked for, in milliseconds since 1970: drawn by chance when this one was issued. */
    renewAt?: number
  }
  /** The account has another secret: it was made, or begun anew, on another device. */
  isRefused?: true
  /** The account is gone: it is kept until what is to be sent with it is away. */
  isLeft?: true
}

/** One for each person: whoever signs in here next has another secret. */
const PREFIX = 'kettle-holder:'
const storedHolder = storedValues(PREFIX, holderIn)

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

/** @param who as `useSessionKey` tells people apart */
export const keptHolder = (who: string): Holder | null => storedHolder(who).current()

/** Draws anew when another tab changes it, too. */
export const useHolder = (who: string): Holder | null => useStored(storedHolder(who))

/** False where the browser would forget it with the page. */
export function keepHolder(who: string, holder: Holder): boolean {
  storedHolder(who).change(() => holder)
  try {
    return localStorage.getItem(PREFIX + who) !== null
  } catch {
    return false
  }
}

export const forgetHolder = (who: string) => storedHolder(who).change(() => null)

export const watchHolder = (who: string, watcher: () => void) => storedHolder(who).watch(watcher)

/** Its last credential proves nothing any more, and the next one is not there yet. */
export const awaitsCredential = (holder: Holder | null) =>
  holder?.credential !== undefined && !isQuarterAround(holder.credential.quarter, todayHere())

/** By the clock of this browser, in the time zone of the server's days. */
export const todayHere = () => new Date().toISOString().slice(0, 10)
