/**
 * A passkey that opens the backup of a person's secret: its 32 bytes (WebAuthn's PRF extension)
 * make the vault's key. The server learns neither that it exists nor when it's used.
 */
import { passkeyProblem } from '../accounts/sign-in/second-step.ts'
import { PasskeyProblem } from './issuing-problem.data.ts'
import type { Bytes } from './vault.ts'

const bytesOf = (text: string): Bytes => new TextEncoder().encode(text)
/** The same for everyone: each passkey answers differently. */
const EXTENSIONS = { prf: { eval: { first: bytesOf('kettle vault') } } }
/** COSE algorithms: ES256, which all support, and RS256 for older Windows. */
const ALGORITHMS = [-7, -257]

/**
 * Creates a passkey, replacing the person's former one. Call it from a press.
 * @param who as from `useSessionKey`
 * @param called the name that they know themselves by
 * @throws PasskeyProblem
 */
export async function makePasskey(who: string, username: string): Promise<Bytes> {
  // Listed in password managers beside the passkey for logging in.
  const name = `Ratings of ${username}`
  const id = await crypto.subtle.digest('SHA-256', bytesOf(`kettle ratings ${who}`))
  const made = await credentialOf(() =>
    navigator.credentials.create({
      publicKey: {
        // Its signature is never verified.
        challenge: randomBytes(),
        rp: { id: location.hostname, name: location.hostname },
        user: { id, name, displayName: name },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        extensions: EXTENSIONS,
      },
    }),
  )
  const { prf } = made.getClientExtensionResults()
  // Some authenticators return it only when used, which needs another touch.
  if (prf?.enabled && !prf.results) return askPasskey(made.rawId)
  return outputOf(made)
}

/**
 * Call it from a press.
 * @param id of a particular passkey
 * @throws PasskeyProblem
 */
export async function askPasskey(id?: ArrayBuffer): Promise<Bytes> {
  const found = await credentialOf(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: randomBytes(),
        rpId: location.hostname,
        allowCredentials: id ? [{ type: 'public-key', id }] : [],
        userVerification: 'required',
        extensions: EXTENSIONS,
      },
    }),
  )
  return outputOf(found)
}

async function credentialOf(call: () => Promise<Credential | null>) {
  const credential = await call().catch((error: unknown) => {
    throw new PasskeyProblem(passkeyProblem(error))
  })
  return credential as PublicKeyCredential
}

function outputOf(credential: PublicKeyCredential): Bytes {
  const first = credential.getClientExtensionResults().prf?.results?.first
  if (!first)
    throw new PasskeyProblem(
      "Your browser or passkey manager doesn't support this. Use your twelve words instead.",
    )
  return new Uint8Array(first as ArrayBuffer)
}

const randomBytes = (): Bytes => crypto.getRandomValues(new Uint8Array(32))
