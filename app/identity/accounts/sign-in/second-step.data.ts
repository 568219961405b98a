/**
 * What the auth service is asked about second factors, with whichever client holds the session: the tab's,
 * or that of a reset link. Comes with the windows that need it.
 */
import type { Auth } from '#app/kit/session/live-session.data.ts'
import { askService, openAnswered } from './auth-service.data.ts'
import { type Factor, passkeyProblem } from './second-step.ts'
import { problemOf } from './sign-in.data.ts'

/** A factor as the service lists it. */
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

/** @throws what the service said, or that it said nothing */
export async function ownFactors(auth: Auth): Promise<OwnFactors> {
  const { data, error } = await askService<{
    factors: ListedFactor[]
    recovery_codes_left: number
  }>(auth, 'GET', '/factors')
  if (!data) throw error
  return { factors: verified(data.factors), codesLeft: data.recovery_codes_left }
}

/** As the session knows them, without asking the service. */
export async function sessionFactors(auth: Auth): Promise<Factor[]> {
  const { data } = await auth.getSession()
  return verified(data.session?.user.factors ?? [])
}

/** The service is asked where the session knows of none. @throws as `ownFactors` */
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

/** The new session is stored by then. */
export const proveCode = (auth: Auth, factorId: string, code: string) =>
  problemOf(() => auth.mfa.challengeAndVerify({ factorId, code }))

export const proveRecoveryCode = (auth: Auth, code: string) =>
  problemOf(() => openAnswered(auth, '/factors/recover', { code }))

/** Asks the browser for the passkey: call it where a button was pressed. */
export const provePasskey = (auth: Auth, factorId: string) =>
  problemOf(() => withPasskey(auth, factorId))

/**
 * The client's own way through this asks for keys on a stick only, and who made them; and after a failed
 * enrolment it removes the working passkey of the same name. So it is gone step by step.
 */
export async function withPasskey(auth: Auth, factorId: string) {
  const here = { rpId: location.hostname, rpOrigins: [location.origin] }
  const { data, error } = await auth.mfa.challenge({ factorId, webauthn: here })
  if (!data) return { error }
  const { id: challengeId, webauthn } = data
  const given = await credentialFor(webauthn).catch((error: unknown) => ({ error }))
  if ('error' in given)
    return { error: { name: 'AuthPasskeyError', message: passkeyProblem(given.error) } }
  const answer = { ...here, type: webauthn.type, credential_response: given.credential }
  return auth.mfa.verify({ factorId, challengeId, webauthn: answer as never })
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

/** Whether this browser, at this address, has passkeys at all. */
export const hasPasskeys = () =>
  typeof PublicKeyCredential === 'function' && typeof navigator.credentials?.get === 'function'
