import { passkeyProblem } from '../accounts/sign-in/second-step.ts'
import { fromBase64url, toBase64url } from './credential.ts'
import { forgetTwelveWords, type Holder, storedHolder, storeHolder } from './holder.data.ts'
import { type CredentialApi, renewCredential, restoreSecret } from './issuing.data.ts'
import { PasskeyProblem } from './issuing-problem.data.ts'
import { noteSecretShared } from './rated.data.ts'
import { type Bytes, type Opener, openVault, sealVault } from './vault.ts'

/**
 * Backs up this browser's secret: sealed here, stored by the server, opened in another browser. It replaces any earlier
 * backup. The curve is heavy, so this loads with the dialogs.
 * @throws SecretElsewhere if it's no longer the account's, and as `credentialOf`
 */
export async function backUpSecret(api: CredentialApi, sessionKey: string, openers: Opener[]) {
  // An outdated secret mustn't replace the current one's backup.
  await renewCredential(api, sessionKey)
  const { m1, r } = storedHolder(sessionKey) as Holder
  const sealed = await sealVault({ m1: fromBase64url(m1), r: fromBase64url(r) }, openers)
  await api('PUT /api/v1/my/credential/vault', { body: { sealed: toBase64url(sealed) } })
  forgetTwelveWords(sessionKey)
  storeHolder(sessionKey, { ...(storedHolder(sessionKey) as Holder), hasBackup: true })
  noteSecretShared(sessionKey)
}

/**
 * Restores another device's backup. `closed` means `opener` doesn't open it, `missing` that there's none.
 * @throws SecretElsewhere if it's no longer the account's, and as `credentialOf`
 */
export async function restoreBackup(
  api: CredentialApi,
  sessionKey: string,
  opener: Opener,
): Promise<'restored' | 'closed' | 'missing'> {
  // Always fetched, because the other device may just have replaced it.
  const { vault } = await api('GET /api/v1/my/credential')
  if (!vault) return 'missing'
  const secret = await openVault(fromBase64url(vault), opener)
  if (!secret) return 'closed'
  await restoreSecret(api, sessionKey, secret)
  noteSecretShared(sessionKey, 'restored')
  return 'restored'
}

/**
 * A passkey that opens the backup of a person's secret: its 32 bytes (WebAuthn's PRF extension)
 * make the vault's key. The server learns neither that it exists nor when it's used.
 */
const bytesOf = (text: string): Bytes => new TextEncoder().encode(text)
/** Everyone sends the same input, because each passkey answers differently anyway. */
const EXTENSIONS = { prf: { eval: { first: bytesOf('kettle vault') } } }
/** COSE algorithms: ES256, which all support, and RS256 for older Windows. */
const ALGORITHMS = [-7, -257]

/**
 * Creates a passkey, replacing the person's former one. Call it when someone presses a button.
 * @param sessionKey as from `useSessionKey`
 * @param called the name they know themselves by
 * @throws PasskeyProblem
 */
export async function makePasskey(sessionKey: string, username: string): Promise<Bytes> {
  // Listed in password managers beside the passkey for logging in.
  const name = `${username}’s ratings`
  const id = await crypto.subtle.digest('SHA-256', bytesOf(`kettle ratings ${sessionKey}`))
  const made = await credentialOf(() =>
    navigator.credentials.create({
      publicKey: {
        // Any challenge will do, because no one verifies the signature.
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
  // Some authenticators only return the output when used, which needs another touch.
  if (prf?.enabled && !prf.results) return askPasskey(made.rawId)
  return outputOf(made)
}

/**
 * Call it when someone presses a button. @param id of a particular passkey
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
      'Your browser or passkey manager doesn’t support this. Use your twelve words instead.',
    )
  return new Uint8Array(first as ArrayBuffer)
}

const randomBytes = (): Bytes => crypto.getRandomValues(new Uint8Array(32))
