/**
 * A passkey that opens what is kept of a person's ratings. It answers with 32 bytes of its own (the PRF extension of
 * WebAuthn), which the vault's key is made of. The server hears nothing of it: not that there is one, nor when it is used.
 */
import { passkeyProblem } from '../accounts/sign-in/second-step.ts'
import { PasskeyProblem } from './issuing-problem.data.ts'
import type { Bytes } from './vault.ts'

const bytesOf = (text: string): Bytes => new TextEncoder().encode(text)
/** The same for all: each passkey answers otherwise. */
const ASKED = { prf: { eval: { first: bytesOf('kettle vault') } } }
/** Of public keys by COSE: ES256, which all have, and RS256 of older Windows. */
const ALGORITHMS = [-7, -257]

/**
 * Has the browser make one. Call it where a button was pressed. Another one of the same person takes its place.
 * @param who as `useSessionKey` tells people apart
 * @param called how they know themselves here
 * @throws PasskeyProblem
 */
export async function makePasskey(who: string, called: string): Promise<Bytes> {
  // Found in a password manager beside the one that somebody signs in with.
  const name = `Ratings of ${called}`
  const id = await crypto.subtle.digest('SHA-256', bytesOf(`kettle ratings ${who}`))
  const made = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        // Nobody verifies what it signs.
        challenge: randomBytes(),
        rp: { id: location.hostname, name: location.hostname },
        user: { id, name, displayName: name },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        extensions: ASKED,
      },
    }),
  )
  const { prf } = made.getClientExtensionResults()
  // Some answer only when they are asked, which is another touch.
  if (prf?.enabled && !prf.results) return askPasskey(made.rawId)
  return answerOf(made)
}

/** Call it where a button was pressed. @param id of a certain one @throws PasskeyProblem */
export async function askPasskey(id?: ArrayBuffer): Promise<Bytes> {
  const found = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: randomBytes(),
        rpId: location.hostname,
        allowCredentials: id ? [{ type: 'public-key', id }] : [],
        userVerification: 'required',
        extensions: ASKED,
      },
    }),
  )
  return answerOf(found)
}

async function asked(ask: () => Promise<Credential | null>) {
  const credential = await ask().catch((error: unknown) => {
    throw new PasskeyProblem(passkeyProblem(error))
  })
  return credential as PublicKeyCredential
}

function answerOf(credential: PublicKeyCredential): Bytes {
  const first = credential.getClientExtensionResults().prf?.results?.first
  if (!first)
    throw new PasskeyProblem(
      'This browser, or what keeps your passkeys, cannot open anything with them. Use the twelve words.',
    )
  return new Uint8Array(first as ArrayBuffer)
}

const randomBytes = (): Bytes => crypto.getRandomValues(new Uint8Array(32))
