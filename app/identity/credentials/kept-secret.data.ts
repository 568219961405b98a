import { fromBase64url, toBase64url } from './base64url.ts'
import { type Holder, storedHolder } from './holder.data.ts'
import { type CredentialApi, renewCredential, restoreSecret } from './issuing.data.ts'
import { noteShared } from './rated.data.ts'
import { type Opener, openVault, sealVault } from './vault.ts'

/**
 * Backs up this browser's secret: sealed here, stored by the server, opened in another browser. It
 * replaces any earlier backup. Heavy with the curve, so it loads with the dialogs.
 * @throws SecretElsewhere if it's no longer the account's, and as `credentialOf`
 */
export async function backUpSecret(api: CredentialApi, who: string, openers: Opener[]) {
  // An outdated secret must not replace the backup of the current one.
  await renewCredential(api, who)
  const { m1, r } = storedHolder(who) as Holder
  const sealed = await sealVault({ m1: fromBase64url(m1), r: fromBase64url(r) }, openers)
  await api('PUT /api/v1/my/credential/vault', { body: { sealed: toBase64url(sealed) } })
  noteShared(who)
}

/**
 * Restores the backup of another device. `closed`: `opener` doesn't open it. `missing`: there is none.
 * @throws SecretElsewhere if it's no longer the account's, and as `credentialOf`
 */
export async function restoreBackup(
  api: CredentialApi,
  who: string,
  opener: Opener,
): Promise<'restored' | 'closed' | 'missing'> {
  // Always fetched: the other device may just have replaced it.
  const { vault } = await api('GET /api/v1/my/credential')
  if (!vault) return 'missing'
  const secret = await openVault(fromBase64url(vault), opener)
  if (!secret) return 'closed'
  await restoreSecret(api, who, secret)
  noteShared(who)
  return 'restored'
}
