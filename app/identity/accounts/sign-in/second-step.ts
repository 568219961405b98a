/** The second step of signing in, as people see it: its ways, what they type, what they are told. No I/O here. */

/** A way that is set up, and works: `totp` is an app that shows codes, `webauthn` a passkey. */
export interface Factor {
  id: string
  kind: 'totp' | 'webauthn'
  name: string
}

export type Way = 'app' | 'passkey' | 'recovery'

/** Which ways there are, the one that is offered first in front. */
export function waysOf(factors: Factor[], canUsePasskeys: boolean): Way[] {
  const has = (kind: Factor['kind']) => factors.some((factor) => factor.kind === kind)
  return [
    ...(has('totp') ? (['app'] as const) : []),
    ...(has('webauthn') && canUsePasskeys ? (['passkey'] as const) : []),
    'recovery',
  ]
}

export const KIND_NAMES: Record<Factor['kind'], string> = {
  totp: 'Authenticator app',
  webauthn: 'Passkey',
}
export const FACTOR_NAME_MAX = 60

/** A name that no factor has yet, for one of this kind. */
export function freshName(kind: Factor['kind'], factors: Factor[]) {
  const taken = new Set(factors.map(({ name }) => name))
  for (let number = 1; ; number++) {
    const name = number === 1 ? KIND_NAMES[kind] : `${KIND_NAMES[kind]} ${number}`
    if (!taken.has(name)) return name
  }
}

export const CODE_DIGITS = 6

/** The digits of what was typed or pasted: apps show them in groups. */
export const digitsOf = (typed: string) => typed.replace(/\D/g, '').slice(0, CODE_DIGITS)

export const codeProblem = (digits: string) =>
  digits.length === CODE_DIGITS ? undefined : `Please enter all ${CODE_DIGITS} digits`

/** In groups of four, to be typed from. */
export const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? ''

/** The file that recovery codes are kept in. */
export function recoveryFile(codes: string[], { siteName, siteUrl }: SiteName) {
  const head = [
    `Recovery codes for ${siteName} (${siteUrl})`,
    '',
    'Each of them signs you in once, in place of your app or passkey.',
    'Keep them where nobody else looks. New codes end these.',
    '',
  ]
  return `${[...head, ...codes].join('\r\n')}\r\n`
}

interface SiteName {
  siteName: string
  siteUrl: string
}

/** Whoever has few of them should make new ones before the last is used. */
export const FEW_CODES = 3

/** Beside the words "Recovery codes". */
export const codesLeftText = (left: number) =>
  left === 0 ? 'None is left' : left === 1 ? 'One is left' : `${left} are left`

/** What the window says, way by way. */
export const SECOND_STEP = {
  title: 'Confirm it is you',
  app: 'Enter the code that your authenticator app shows now.',
  passkey: 'Your browser asks for your fingerprint, your face, your PIN or your security key.',
  recovery: 'Enter one of the codes that you saved. Each works once.',
  busy: 'Checking...',
} as const

/** By the name of what a browser throws when a passkey is not to be had. */
const PASSKEY_PROBLEMS: Record<string, string> = {
  NotAllowedError: 'Nothing was confirmed: it was cancelled, or took too long. Please try again.',
  InvalidStateError: 'This device or key has a passkey for your account already.',
  SecurityError: 'Passkeys do not work at this address.',
}
const NO_PASSKEY = 'Your browser could not use a passkey. Please try again, or choose another way.'

/** @param error of `navigator.credentials` */
export const passkeyProblem = (error: unknown) =>
  PASSKEY_PROBLEMS[(error as Error | undefined)?.name ?? ''] ?? NO_PASSKEY
