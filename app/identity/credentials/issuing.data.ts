/**
 * Gets this browser's credential, for a secret that stays here: soon after the address is confirmed
 * (quiet-issuing.data.ts), or with the first rating. The curve is heavy, so it loads on demand.
 */
import { ApiError, type Client, isRefused, statusOf } from '#app/api/client.ts'
import {
  concatBytes,
  deserializeScalar,
  generatorG,
  type RandomScalar,
  randomScalar,
  reader,
  type Scalar,
  serializeElement,
  serializeScalar,
} from '#app/api/credential/group.ts'
import type { ListedKey } from '#app/api/credential/issuer-list.ts'
import {
  type Credential,
  deserializeCredentialResponse,
  deserializeServerPublicKey,
  finalizeCredential,
  VerifyError,
} from '#app/api/credential/issuing.ts'
import {
  createCredentialRequest,
  encryptedSecrets,
  KETTLE,
  serializeCredentialRequest,
} from '#app/api/credential/profile.ts'
import { type Purpose, requestContextOf } from '#app/api/credential/purposes.ts'
import { renewalMonthOf } from '#app/api/credential/quarter.ts'
import { momentIn } from '#app/kit/session/quiet-companies.data.ts'
import { inOneTab } from '#app/kit/ui/stored-value.ts'
import type { CredentialContract } from './credential.contract.ts'
import { canSeal, fromBase64url, toBase64url } from './credential.ts'
import {
  awaitsCredential,
  forgetHolder,
  forgetTwelveWords,
  type Holder,
  storedHolder,
  storeHolder,
} from './holder.data.ts'
import { presentIssuerKey } from './issuer-keys.data.ts'
import {
  CredentialExpired,
  ForeignIssuer,
  SecretElsewhere,
  StorageBlocked,
} from './issuing-problem.data.ts'
import { sendAwaiting } from './rated.data.ts'
import { openVault, sealVault } from './vault.ts'

export type CredentialApi = Client<CredentialContract>

export interface Issued {
  quarter: string
  credential: Credential
}

/**
 * The browser's credential, even if expired, or a first one requested now. Requesting a new one
 * here would reveal that the person rates.
 * @param sessionKey as from `useSessionKey`
 * @throws SecretElsewhere, ForeignIssuer, WrongClock, StorageBlocked, ApiError
 */
export async function credentialOf(api: CredentialApi, sessionKey: string): Promise<Issued> {
  const stored = storedCredential(sessionKey)
  if (stored) return stored
  const key = await presentIssuerKey()
  return inIssuingTab(
    async () => storedCredential(sessionKey) ?? (await issueOrRenew(api, sessionKey, key)),
  )
}

/**
 * The first credential, or the next one when due, unless another tab got it.
 * @throws as `credentialOf`
 */
export async function issueWhenDue(api: CredentialApi, sessionKey: string) {
  const key = await presentIssuerKey()
  await inIssuingTab(async () => {
    const renewAt = storedHolder(sessionKey)?.credential?.renewAt
    if (renewAt === undefined || renewAt <= Date.now()) await issueOrRenew(api, sessionKey, key)
  })
}

/**
 * Requests a credential even if one is stored, because the account may have a different secret by now.
 * @throws SecretElsewhere if so (which is also stored), and as `credentialOf`
 */
export const renewCredential = (api: CredentialApi, sessionKey: string): Promise<Issued> =>
  presentIssuerKey().then((key) => inIssuingTab(() => issueOrRenew(api, sessionKey, key)))

/**
 * Replaces a lost secret. Ratings given with it stay as they are.
 * @throws ApiError if the account did so less than six months ago, and as `credentialOf`
 */
export const startOver = (api: CredentialApi, sessionKey: string): Promise<Issued> =>
  presentIssuerKey().then((key) =>
    replaceSecret(sessionKey, freshSecret(), () =>
      issue(api, sessionKey, key, { isFirst: true, isAnew: true }),
    ),
  )

/**
 * Restores another device's secret, if it's still the account's.
 * @throws SecretElsewhere if not, and as `credentialOf`
 */
export const restoreSecret = (
  api: CredentialApi,
  sessionKey: string,
  { m1, r }: { m1: Uint8Array; r: Uint8Array },
): Promise<Issued> =>
  presentIssuerKey().then((key) =>
    replaceSecret(sessionKey, { m1: toBase64url(m1), r: toBase64url(r), hasBackup: true }, () =>
      issueOrRenew(api, sessionKey, key),
    ),
  )

/**
 * The credential to present, without any request.
 * @throws SecretElsewhere if there is none, CredentialExpired if it expired
 */
export function credentialToShow(sessionKey: string): Issued {
  const stored = storedCredential(sessionKey)
  if (!stored) throw new SecretElsewhere()
  if (awaitsCredential(storedHolder(sessionKey))) throw new CredentialExpired()
  return stored
}

/** @throws SecretElsewhere if the account has a different secret */
function storedCredential(sessionKey: string): Issued | undefined {
  const { m1, credential, isRefused } = storedHolder(sessionKey) ?? {}
  if (!m1 || !credential) return
  if (isRefused) throw new SecretElsewhere()
  return { quarter: credential.quarter, credential: readCredential({ m1, ...credential }) }
}

/** Reads texts stored in base64url. */
export function readCredential(stored: {
  m1: string
  publicKey: string
  issued: string
}): Credential {
  const read = reader(fromBase64url(stored.issued))
  const [U, UPrime] = [read.element(), read.element()]
  const { X1 } = deserializeServerPublicKey(fromBase64url(stored.publicKey))
  return { m1: deserializeScalar(fromBase64url(stored.m1)), U, UPrime, X1 }
}

async function issueOrRenew(api: CredentialApi, sessionKey: string, key: ListedKey) {
  const { isCommitted, vault } = await api('GET /api/v1/my/credential')
  const holder = storedHolder(sessionKey)
  if (isCommitted && !holder) throw new SecretElsewhere()
  // We store a new secret before we send anything. If the response is lost, the next try renews, instead
  // of making a second secret.
  if (!holder) mustStore(sessionKey, freshSecret())
  else if (vault) await noteBackup(sessionKey, vault)
  try {
    return await issue(api, sessionKey, key, { isFirst: !isCommitted, isAnew: false })
  } catch (error) {
    if (statusOf(error) !== 409) throw error
    storeHolder(sessionKey, { ...(storedHolder(sessionKey) as Holder), isRefused: true })
    throw new SecretElsewhere()
  }
}

async function issue(
  api: CredentialApi,
  sessionKey: string,
  { quarter, publicKey }: ListedKey,
  { isFirst, isAnew }: { isFirst: boolean; isAnew: boolean },
): Promise<Issued> {
  const vault = await firstVault(sessionKey)
  let isKept = false
  const { credential, issued } = await issueOver(
    storedHolder(sessionKey) as Holder,
    { purpose: { kind: 'ratings', quarter }, publicKey, isFirst },
    async (request) => {
      const body = { quarter, request, ...(vault && { vault }) }
      const answer = await (isFirst
        ? api('POST /api/v1/my/credential', { body: { ...body, isAnew } })
        : api('POST /api/v1/my/credential/renewal', { body }))
      isKept = answer.isKept
      return answer
    },
  )
  const renewAt = momentIn(renewalMonthOf(quarter))
  const { isRefused: _, words, ...holder } = storedHolder(sessionKey) as Holder
  storeHolder(sessionKey, {
    ...holder,
    credential: { quarter, publicKey, issued, renewAt },
    ...(vault && { hasBackup: true as const }),
    // Another device was first, so these words don't open anything.
    ...(words && (isKept || !vault) && { words }),
  })
  sendAwaiting(sessionKey)
  return { quarter, credential }
}

/**
 * Sent along with the credential, at its random time, so showing the words later takes no request. If we
 * sent the backup after a rating, it would date the rating. Undefined if there's a backup already, or
 * without https.
 */
async function firstVault(sessionKey: string): Promise<string | undefined> {
  const holder = storedHolder(sessionKey) as Holder
  if (holder.hasBackup || !canSeal()) return undefined
  // After a lost response, the next request has the same words.
  const words = holder.words ?? { bits: toBase64url(crypto.getRandomValues(new Uint8Array(16))) }
  storeHolder(sessionKey, { ...holder, words })
  const secret = { m1: fromBase64url(holder.m1), r: fromBase64url(holder.r) }
  return toBase64url(await sealVault(secret, [{ kind: 'words', bits: fromBase64url(words.bits) }]))
}

/** By now, the account's backup may be another device's, which this browser's words don't open. */
async function noteBackup(sessionKey: string, vault: string) {
  const { words } = storedHolder(sessionKey) as Holder
  const opens =
    words &&
    canSeal() &&
    (await openVault(fromBase64url(vault), { kind: 'words', bits: fromBase64url(words.bits) }))
  if (!opens) forgetTwelveWords(sessionKey)
  storeHolder(sessionKey, { ...(storedHolder(sessionKey) as Holder), hasBackup: true })
}

interface Issuing {
  purpose: Purpose
  publicKey: string
  isFirst: boolean
}

/**
 * Issues a credential for a secret, for any purpose.
 * @returns it, and what to store of it: U and UPrime in base64url
 * @throws ForeignIssuer, and what `send` throws
 */
export async function issueOver(
  secret: Pick<Holder, 'm1' | 'r'>,
  { purpose, publicKey, isFirst }: Issuing,
  send: (request: string) => Promise<{ response: string }>,
) {
  const [m1, r] = [
    deserializeScalar(fromBase64url(secret.m1)),
    deserializeScalar(fromBase64url(secret.r)),
  ]
  const context = requestContextOf(purpose)
  const { secrets, request } = isFirst
    ? // A repeated first request sends the same commitment.
      createCredentialRequest(m1, context, beginningWith(r))
    : createCredentialRequest(m1, context, randomScalar, {
        commitment: generatorG.multiply(m1).add(KETTLE.generatorH.multiply(r)),
        r,
      })
  const { response } = await send(toBase64url(serializeCredentialRequest(request)))
  const credential = finalize(() =>
    finalizeCredential(
      KETTLE,
      secrets,
      deserializeServerPublicKey(fromBase64url(publicKey)),
      encryptedSecrets(request.m1Enc, context),
      deserializeCredentialResponse(fromBase64url(response)),
    ),
  )
  const { U, UPrime } = credential
  return {
    credential,
    issued: toBase64url(concatBytes(serializeElement(U), serializeElement(UPrime))),
  }
}

function finalize(work: () => Credential) {
  try {
    return work()
  } catch (error) {
    throw error instanceof VerifyError ? new ForeignIssuer('key') : error
  }
}

/**
 * Restores the old secret if the server refuses. If there's no response, the secret stays replaced,
 * because the server may have accepted it.
 */
const replaceSecret = (sessionKey: string, secret: Holder, work: () => Promise<Issued>) =>
  inIssuingTab(async () => {
    const former = storedHolder(sessionKey)
    mustStore(sessionKey, secret)
    try {
      return await work()
    } catch (error) {
      if (!refusesSecret(error)) throw error
      if (former) storeHolder(sessionKey, former)
      else forgetHolder(sessionKey)
      throw error
    }
  })

const refusesSecret = (error: unknown) =>
  error instanceof SecretElsewhere || (error instanceof ApiError && isRefused(error))

function mustStore(sessionKey: string, holder: Holder) {
  if (storeHolder(sessionKey, holder)) return
  forgetHolder(sessionKey)
  throw new StorageBlocked()
}

const freshSecret = (): Holder => ({
  m1: toBase64url(serializeScalar(randomScalar())),
  r: toBase64url(serializeScalar(randomScalar())),
})

/** A request first draws the value that opens its commitment. */
function beginningWith(first: Scalar): RandomScalar {
  let isFirst = true
  return () => {
    if (!isFirst) return randomScalar()
    isFirst = false
    return first
  }
}

/** Otherwise, two tabs would make two secrets, and the account accepts only one. */
const inIssuingTab = <Result>(work: () => Promise<Result>) => inOneTab('kettle-credential', work)
