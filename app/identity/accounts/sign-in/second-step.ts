/** A verified factor: `totp` is an authenticator app, `webauthn` a passkey. */
export interface Factor {
  id: string
  kind: 'totp' | 'webauthn'
  name: string
}

export type Way = 'app' | 'passkey' | 'recovery'

/** The ways offered, default first. */
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

export function unusedFactorName(kind: Factor['kind'], factors: Factor[]) {
  const taken = new Set(factors.map(({ name }) => name))
  for (let number = 1; ; number++) {
    const name = number === 1 ? KIND_NAMES[kind] : `${KIND_NAMES[kind]} ${number}`
    if (!taken.has(name)) return name
  }
}

const CODE_DIGITS = 6

/** How a form reads an app's code. Apps show them in groups. */
export const APP_CODE = {
  length: CODE_DIGITS,
  inputMode: 'numeric',
  tidy: (typed: string) => typed.replace(/\D/g, '').slice(0, CODE_DIGITS),
  problem: (digits: string) =>
    digits.length === CODE_DIGITS ? undefined : `Please enter all ${CODE_DIGITS} digits`,
} as const

export const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? ''

export function recoveryFile(codes: string[], { siteName, siteUrl }: SiteName) {
  const head = [
    `Recovery codes for ${siteName} (${siteUrl})`,
    '',
    'Each code logs you in once, instead of your app or passkey.',
    'Keep them where no one else looks. New codes replace these.',
    '',
  ]
  return `${[...head, ...codes].join('\r\n')}\r\n`
}

interface SiteName {
  siteName: string
  siteUrl: string
}

/** We suggest making new recovery codes once this many are left. */
export const FEW_CODES = 3

/** Next to "Recovery codes". */
export const codesLeftText = (left: number) => (left === 0 ? 'None left' : `${left} left`)

export const SECOND_STEP = {
  title: 'Confirm it’s you',
  app: 'Enter the current code from your authenticator app.',
  passkey: 'Your browser will ask for your fingerprint, face, PIN or security key.',
  recovery: 'Enter one of the codes you saved. Each works once.',
  busy: 'Checking...',
} as const

/** Sentences by the browser's error name. */
const PASSKEY_PROBLEMS: Record<string, string> = {
  NotAllowedError: 'That was canceled or took too long. Please try again.',
  InvalidStateError: 'This device or key already has a passkey for your account.',
  SecurityError: 'Passkeys don’t work at this address.',
}
const NO_PASSKEY = 'Your browser couldn’t use a passkey. Please try again, or choose another way.'

export const passkeyProblem = (error: unknown) =>
  PASSKEY_PROBLEMS[(error as Error | undefined)?.name ?? ''] ?? NO_PASSKEY
