import type { Auth } from '#app/kit/session/live-session.data.ts'
import { type Factor, passkeyProblem } from './second-step.ts'
import { callService, openReturned, problemOf } from './sign-in.data.ts'

/** A factor in the service's list. These calls take the tab's client, or a reset link's. */
interface ListedFactor {
  id: string
  friendly_name?: string
  factor_type: string
  status: string
}

interface OwnFactors {
  factors: Factor[]
  codesLeft: number
}

/** @throws the service's error */
export async function ownFactors(auth: Auth): Promise<OwnFactors> {
  const { data, error } = await callService<{
    factors: ListedFactor[]
    recovery_codes_left: number
  }>(auth, 'GET', '/factors')
  if (!data) throw error
  return { factors: verified(data.factors), codesLeft: data.recovery_codes_left }
}

/** Reads the factors from the session, without a request. */
export async function sessionFactors(auth: Auth): Promise<Factor[]> {
  const { data } = await auth.getSession()
  return verified(data.session?.user.factors ?? [])
}

/**
 * Asks the service if the session lists none.
 * @throws as `ownFactors`
 */
export async function knownFactors(auth: Auth): Promise<Factor[]> {
  const known = await sessionFactors(auth)
  return known.length > 0 ? known : (await ownFactors(auth)).factors
}

const verified = (factors: ListedFactor[]): Factor[] =>
  factors.flatMap(({ id, friendly_name, factor_type, status }) =>
    status === 'verified' && (factor_type === 'totp' || factor_type === 'webauthn')
      ? [{ id, kind: factor_type, name: friendly_name ?? '' }]
      : [],
  )

/** On success the new session is already stored. */
export const verifyCode = (auth: Auth, factorId: string, code: string) =>
  problemOf(() => auth.mfa.challengeAndVerify({ factorId, code }))

export const verifyRecoveryCode = (auth: Auth, code: string) =>
  problemOf(() => openReturned(auth, '/factors/recover', { code }))

/** Call it when someone presses a button, because the browser opens a prompt. */
export const verifyPasskey = (auth: Auth, factorId: string) =>
  problemOf(() => withPasskey(auth, factorId))

/**
 * We do this step by step, because auth-js itself only accepts security keys, asks for attestation,
 * and after a failed enrollment removes the working passkey with the same name.
 */
export async function withPasskey(auth: Auth, factorId: string) {
  const here = { rpId: location.hostname, rpOrigins: [location.origin] }
  const { data, error } = await auth.mfa.challenge({ factorId, webauthn: here })
  if (!data) return { error }
  const { id: challengeId, webauthn } = data
  const created = await credentialFor(webauthn).catch((error: unknown) => ({ error }))
  if ('error' in created)
    return { error: { name: 'AuthPasskeyError', message: passkeyProblem(created.error) } }
  const response = { ...here, type: webauthn.type, credential_response: created.credential }
  return auth.mfa.verify({ factorId, challengeId, webauthn: response as never })
}

async function credentialFor({ type, credential_options }: PasskeyOptions) {
  const publicKey = credential_options.publicKey as never
  const { credentials } = navigator
  const credential = await (type === 'create'
    ? credentials.create({ publicKey })
    : credentials.get({ publicKey }))
  return { credential }
}

interface PasskeyOptions {
  type: 'create' | 'request'
  credential_options: { publicKey: unknown }
}

/** Whether this browser supports passkeys on this origin. */
export const hasPasskeys = () =>
  typeof PublicKeyCredential === 'function' && typeof navigator.credentials?.get === 'function'
