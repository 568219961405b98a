/**
 * What a person rates with: a secret that never leaves this browser, and a credential for it. Light,
 * because the curve's code comes with issuing.data.ts.
 */
import { isQuarterAround } from '#app/api/credential/quarter.ts'
import { storedValues, useStored } from '#app/kit/ui/stored-value.ts'

/** All in base64url. */
export interface Holder {
  /** The secret, and what opens the account's commitment to it. 32 bytes each. */
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
  /** Whether the account has a backup of the secret. If so, this browser doesn't make one by itself. */
  hasBackup?: true
  /** The words that open the first backup, until the person has written them down. */
  words?: FirstWords
  /** Whether the account has a different secret, from another device. */
  isRefused?: true
  /** Whether the account is deleted. The secret stays until everything that needs it is sent. */
  isLeft?: true
}

export interface FirstWords {
  /** 16 bytes in base64url. */
  bits: string
  /** When to offer them again, in ms since 1970, after "Later". */
  askAt?: number
}

/** One per person, because people may share a browser. */
const PREFIX = 'kettle-holder:'
const holderOf = storedValues(PREFIX, holderIn)

function holderIn(stored: string | null): Holder | null {
  try {
    const { m1, r, credential, hasBackup, words, isRefused, isLeft } =
      JSON.parse(stored ?? 'null') ?? {}
    if (!isScalarText(m1) || !isScalarText(r)) return null
    return {
      m1,
      r,
      ...(isCredential(credential) && { credential }),
      ...(hasBackup === true && { hasBackup }),
      ...(isText(22, words?.bits) && { words }),
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

/** @param sessionKey as from `useSessionKey` */
export const storedHolder = (sessionKey: string): Holder | null => holderOf(sessionKey).current()

/** The hook follows changes in other tabs too. */
export const useHolder = (sessionKey: string): Holder | null => useStored(holderOf(sessionKey))

/** @returns false if the browser would forget it when the page closes */
export function storeHolder(sessionKey: string, holder: Holder): boolean {
  holderOf(sessionKey).change(() => holder)
  try {
    return localStorage.getItem(PREFIX + sessionKey) !== null
  } catch {
    return false
  }
}

export const forgetHolder = (sessionKey: string) => holderOf(sessionKey).change(() => null)

export const watchHolder = (sessionKey: string, watcher: () => void) =>
  holderOf(sessionKey).watch(watcher)

const WEEK_MS = 7 * 24 * 3_600_000
const NEVER = Number.MAX_SAFE_INTEGER

/** Offers the words next to the person's rating until they answer, and once more a week after "Later". */
export const offersWords = (holder: Holder | null) =>
  holder?.words !== undefined &&
  holder.hasBackup === true &&
  !holder.isRefused &&
  (holder.words.askAt ?? 0) <= Date.now()

/** The second offer is the last, even without an answer. */
export const noteWordsOffered = (sessionKey: string) =>
  changeWords(sessionKey, ({ askAt, ...words }) =>
    askAt === undefined ? words : { ...words, askAt: NEVER },
  )

export const offerWordsLater = (sessionKey: string) =>
  changeWords(sessionKey, ({ askAt, ...words }) => ({
    ...words,
    askAt: askAt === undefined ? Date.now() + WEEK_MS : NEVER,
  }))

/** Called when the words are written down or replaced. */
export const forgetTwelveWords = (sessionKey: string) => changeWords(sessionKey, () => undefined)

const changeWords = (sessionKey: string, change: (words: FirstWords) => FirstWords | undefined) =>
  holderOf(sessionKey).change((holder) => {
    if (!holder?.words) return holder
    const { words: before, ...others } = holder
    const words = change(before)
    return words ? { ...others, words } : others
  })

/** Whether the credential has expired and there's no new one yet. */
export const awaitsCredential = (holder: Holder | null) =>
  holder?.credential !== undefined && !isQuarterAround(holder.credential.quarter, todayHere())

/** Today by this browser's clock, in the server's time zone. */
export const todayHere = () => new Date().toISOString().slice(0, 10)
