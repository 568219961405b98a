/** Passkeys (WebAuthn): the library checks them, this says what of. D38. */
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import ipaddr from 'ipaddr.js'
import { AuthRefusal } from '../auth-server/auth-refusal.server.ts'
import type { PasskeyKey } from './factor-rows.server.ts'

/** Where passkeys are made and used: they know the site by this, and answer no other. */
export interface Place {
  rpID: string
  origin: string
}

/** What the browser says of where it is. */
interface Said {
  rpId?: string | null
  rpOrigins?: string[] | null
}

/**
 * The site's own address. One that is no name, as on one's own machine, can have no passkeys; there
 * whoever came by `localhost` has theirs.
 * @throws AuthRefusal validation_failed where the browser believes to be elsewhere
 */
export function placeOf(siteUrl: string, host: string | undefined, said: Said): Place {
  const { hostname, origin } = ownAddress(siteUrl, host)
  if (ipaddr.isValid(hostname.replace(/[[\]]/g, '')))
    throw new AuthRefusal(
      'validation_failed',
      'Passkeys need a name: open the site by its name, on your own machine as localhost.',
    )
  const isHere =
    (said.rpId ?? hostname) === hostname && (said.rpOrigins ?? []).every((it) => it === origin)
  if (!isHere)
    throw new AuthRefusal('validation_failed', `Passkeys of this site are of ${origin} only.`)
  return { rpID: hostname, origin }
}

function ownAddress(siteUrl: string, host = '') {
  const own = new URL(siteUrl)
  const isLoopback = own.hostname === '[::1]' || /^127\./.test(own.hostname)
  return isLoopback && /^localhost(:\d{1,5})?$/.test(host) ? new URL(`http://${host}`) : own
}

/** It reads a hundred files, so it comes when somebody first needs it: a start is quicker by half a second. */
const library = () => import('@simplewebauthn/server')

type Transports = NonNullable<WebAuthnCredential['transports']>

const descriptorOf = ({ id, transports }: PasskeyKey) => ({
  id,
  transports: transports as Transports,
})

/** What the browser makes a passkey of. @param person.handle says nothing of them, and is always the same */
export const creationOptions = async (
  { rpID }: Place,
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

export const requestOptions = async ({ rpID }: Place, challenge: Buffer, passkey: PasskeyKey) =>
  (await library()).generateAuthenticationOptions({
    rpID,
    challenge: new Uint8Array(challenge),
    userVerification: 'preferred',
    allowCredentials: [descriptorOf(passkey)],
  })

/** Undefined for anything but an answer to this challenge, at this place, that names no maker. */
export async function createdPasskey(
  { rpID, origin }: Place,
  challenge: string,
  response: unknown,
): Promise<PasskeyKey | undefined> {
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await orNothing(
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

/** Whether this passkey answered this challenge at this place. */
export async function isAnswerOf(
  { rpID, origin }: Place,
  challenge: string,
  passkey: PasskeyKey,
  response: unknown,
): Promise<boolean> {
  const { verifyAuthenticationResponse } = await library()
  const { verified } = await orNothing(
    verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential: {
        ...descriptorOf(passkey),
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        // None is kept: it would move with each use. A passkey that is copied between devices has none either.
        counter: 0,
      },
      requireUserVerification: false,
    }),
  )
  return verified === true
}

/** The library throws for whatever is wrong with what a browser sent. */
const orNothing = <Result>(verification: Promise<Result>): Promise<Partial<Result>> =>
  verification.catch(() => ({}))
