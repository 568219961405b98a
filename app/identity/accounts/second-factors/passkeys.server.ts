import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import ipaddr from 'ipaddr.js'
import { AuthRefusal } from '../auth-server/auth-refusal.server.ts'
import type { PasskeyKey } from './factor-rows.server.ts'

/** The site as passkeys know it (WebAuthn). They don't answer any other site. D38. */
export interface RelyingParty {
  rpID: string
  origin: string
}

/** Where the browser says it is. */
interface ClientOrigin {
  rpId?: string | null
  rpOrigins?: string[] | null
}

/**
 * The site's own address. IP addresses can't have passkeys, but `localhost` can.
 * @throws AuthRefusal validation_failed if the browser says it's elsewhere
 */
export function relyingPartyOf(
  siteUrl: string,
  host: string | undefined,
  client: ClientOrigin,
): RelyingParty {
  const { hostname, origin } = ownAddress(siteUrl, host)
  if (ipaddr.isValid(hostname.replace(/[[\]]/g, '')))
    throw new AuthRefusal(
      'validation_failed',
      'Passkeys need a domain name. Open the site at its domain name, or at localhost on your own machine.',
    )
  const isHere =
    (client.rpId ?? hostname) === hostname && (client.rpOrigins ?? []).every((it) => it === origin)
  if (!isHere)
    throw new AuthRefusal('validation_failed', `Passkeys for this site only work at ${origin}`)
  return { rpID: hostname, origin }
}

function ownAddress(siteUrl: string, host = '') {
  const own = new URL(siteUrl)
  const isLoopback = own.hostname === '[::1]' || /^127\./.test(own.hostname)
  return isLoopback && /^localhost(:\d{1,5})?$/.test(host) ? new URL(`http://${host}`) : own
}

/** Loaded on first use, because it reads a hundred files, which would slow the start by half a second. */
const library = () => import('@simplewebauthn/server')

type Transports = NonNullable<WebAuthnCredential['transports']>

const descriptorOf = ({ id, transports }: PasskeyKey) => ({
  id,
  transports: transports as Transports,
})

/**
 * Options for making a passkey.
 * @param person.handle a constant per person that reveals nothing about them
 */
export const creationOptions = async (
  { rpID }: RelyingParty,
  settings: {
    challenge: Buffer
    siteName: string
    person: { handle: Buffer; name: string }
    known: PasskeyKey[]
  },
) =>
  (await library()).generateRegistrationOptions({
    rpID,
    rpName: settings.siteName,
    challenge: new Uint8Array(settings.challenge),
    userID: new Uint8Array(settings.person.handle),
    userName: settings.person.name,
    userDisplayName: settings.person.name,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    excludeCredentials: settings.known.map(descriptorOf),
  })

export const requestOptions = async (
  { rpID }: RelyingParty,
  challenge: Buffer,
  passkey: PasskeyKey,
) =>
  (await library()).generateAuthenticationOptions({
    rpID,
    challenge: new Uint8Array(challenge),
    userVerification: 'preferred',
    allowCredentials: [descriptorOf(passkey)],
  })

/** The new passkey. Undefined unless it answers this challenge, here, without attestation. */
export async function createdPasskey(
  { rpID, origin }: RelyingParty,
  challenge: string,
  response: unknown,
): Promise<PasskeyKey | undefined> {
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await orEmpty(
    verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
    }),
  )
  if (registrationInfo?.fmt !== 'none') return undefined
  const { id, publicKey, transports = [] } = registrationInfo.credential
  return {
    id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    transports: transports.filter((it) => KNOWN_TRANSPORTS.includes(it)),
  }
}

const KNOWN_TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

export async function isAnswerOf(
  { rpID, origin }: RelyingParty,
  challenge: string,
  passkey: PasskeyKey,
  response: unknown,
): Promise<boolean> {
  const { verifyAuthenticationResponse } = await library()
  const { verified } = await orEmpty(
    verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential: {
        ...descriptorOf(passkey),
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        // We don't store a counter, because it would change with each use, and synced passkeys have
        // none.
        counter: 0,
      },
      requireUserVerification: false,
    }),
  )
  return verified === true
}

/** The library throws for anything invalid from the browser. */
const orEmpty = <Result>(verification: Promise<Result>): Promise<Partial<Result>> =>
  verification.catch(() => ({}))
