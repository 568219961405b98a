/**
 * A person's secret on its way to their other devices: sealed in this browser, kept by the server, opened in another
 * browser. Heavy with the curve: it comes with the dialogs.
 */
import { fromBase64url, toBase64url } from './base64url.ts'
import { type Holder, keptHolder } from './holder.data.ts'
import { bringSecret, type CredentialApi, renewCredential } from './issuing.data.ts'
import { noteShared } from './rated.data.ts'
import { type Opener, openVault, sealVault } from './vault.ts'

/**
 * Seals the secret of this browser; what opened it before opens it no more.
 * @throws SecretElsewhere where it is no longer the account's, and as `credentialOf`
 */
export async function keepSecret(api: CredentialApi, who: string, openers: Opener[]) {
  // A former secret would take the place of the one that is in use.
  await renewCredential(api, who)
  const { m1, r } = keptHolder(who) as Holder
  const sealed = await sealVault({ m1: fromBase64url(m1), r: fromBase64url(r) }, openers)
  await api('PUT /api/v1/my/credential/vault', { body: { sealed: toBase64url(sealed) } })
  noteShared(who)
}

/**
 * Takes the secret that another device has kept. `closed`: `opener` does not open it; `missing`: none is kept.
 * @throws SecretElsewhere where it is no longer the account's, and as `credentialOf`
 */
export async function bringKeptSecret(
  api: CredentialApi,
  who: string,
  opener: Opener,
): Promise<'brought' | 'closed' | 'missing'> {
  // Asked now: the other device may have made new words a moment ago.
  const { vault } = await api('GET /api/v1/my/credential')
  if (!vault) return 'missing'
  const secret = await openVault(fromBase64url(vault), opener)
  if (!secret) return 'closed'
  await bringSecret(api, who, secret)
  noteShared(who)
  return 'brought'
}
