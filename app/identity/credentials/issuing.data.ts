/**
 * How this browser gets its credential, over a secret that stays here: soon after an address is confirmed
 * (quiet-issuing.data.ts), or with the first rating if that comes first. Heavy with the curve: it comes when it is needed.
 */
import { ApiError, type Client, isRefused } from '#app/api/client.ts'
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
import { inOneTab } from '#app/kit/ui/one-tab.ts'
import { fromBase64url, toBase64url } from './base64url.ts'
import type { CredentialContract } from './credential.contract.ts'
import {
  awaitsCredential,
  forgetHolder,
  type Holder,
  keepHolder,
  keptHolder,
} from './holder.data.ts'
import { type IssuerKey, presentIssuerKey } from './issuer-keys.data.ts'
import {
  CredentialAwaited,
  ForeignIssuer,
  KeepsNothing,
  SecretElsewhere,
} from './issuing-problem.data.ts'
import { sendAwaiting } from './rated.data.ts'

export type CredentialApi = Client<CredentialContract>

export interface Issued {
  quarter: string
  credential: Credential
}

/**
 * The last credential of this browser, run out or not, or the first one, which is asked for now. Whoever asked for
 * another one when they rate would say that they do.
 * @param who as `useSessionKey` tells people apart
 * @throws SecretElsewhere, ForeignIssuer, WrongClock, KeepsNothing, ApiError
 */
export async function credentialOf(api: CredentialApi, who: string): Promise<Issued> {
  const kept = keptCredential(who)
  if (kept) return kept
  const key = await presentIssuerKey()
  return alone(async () => keptCredential(who) ?? (await issueOrRenew(api, who, key)))
}

/** The first one, or the next one where its time has come, unless another tab has it already. @throws as `credentialOf` */
export async function issueWhenDue(api: CredentialApi, who: string) {
  const key = await presentIssuerKey()
  await alone(async () => {
    const renewAt = keptHolder(who)?.credential?.renewAt
    if (renewAt === undefined || renewAt <= Date.now()) await issueOrRenew(api, who, key)
  })
}

/**
 * Has a credential issued even where one is kept: the account may have another secret since.
 * @throws SecretElsewhere where it has, which is noted then, and as `credentialOf`
 */
export const renewCredential = (api: CredentialApi, who: string): Promise<Issued> =>
  presentIssuerKey().then((key) => alone(() => issueOrRenew(api, who, key)))

/**
 * Begins with another secret, as the one of before is lost: what was given with it stays as it is.
 * @throws ApiError where the account did so less than half a year ago, and as `credentialOf`
 */
export const replaceLostSecret = (api: CredentialApi, who: string): Promise<Issued> =>
  presentIssuerKey().then((key) =>
    replaceSecret(who, freshSecret(), () => issue(api, who, key, { isFirst: true, isAnew: true })),
  )

/**
 * Takes the secret of another device, if it is still the account's.
 * @throws SecretElsewhere where it is not, and as `credentialOf`
 */
export const bringSecret = (
  api: CredentialApi,
  who: string,
  { m1, r }: { m1: Uint8Array; r: Uint8Array },
): Promise<Issued> =>
  presentIssuerKey().then((key) =>
    replaceSecret(who, { m1: toBase64url(m1), r: toBase64url(r) }, () =>
      issueOrRenew(api, who, key),
    ),
  )

/**
 * The one that is shown: nothing is asked for.
 * @throws SecretElsewhere where there is none, CredentialAwaited where it has run out
 */
export function credentialToShow(who: string): Issued {
  const kept = keptCredential(who)
  if (!kept) throw new SecretElsewhere()
  if (awaitsCredential(keptHolder(who))) throw new CredentialAwaited()
  return kept
}

/** @throws SecretElsewhere where the account has another secret */
function keptCredential(who: string): Issued | undefined {
  const { m1, credential, isRefused } = keptHolder(who) ?? {}
  if (!m1 || !credential) return
  if (isRefused) throw new SecretElsewhere()
  return { quarter: credential.quarter, credential: readCredential({ m1, ...credential }) }
}

/** All in base64url, as they are kept. */
export function readCredential(kept: {
  m1: string
  publicKey: string
  issued: string
}): Credential {
  const read = reader(fromBase64url(kept.issued))
  const [U, UPrime] = [read.element(), read.element()]
  const { X1 } = deserializeServerPublicKey(fromBase64url(kept.publicKey))
  return { m1: deserializeScalar(fromBase64url(kept.m1)), U, UPrime, X1 }
}

async function issueOrRenew(api: CredentialApi, who: string, key: IssuerKey) {
  const { isCommitted } = await api('GET /api/v1/my/credential')
  const holder = keptHolder(who)
  if (isCommitted && !holder) throw new SecretElsewhere()
  // Before it is sent: an answer that is lost on its way leads to a renewal then, and not to a second secret.
  if (!holder) mustKeep(who, freshSecret())
  try {
    return await issue(api, who, key, { isFirst: !isCommitted, isAnew: false })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error
    keepHolder(who, { ...(keptHolder(who) as Holder), isRefused: true })
    throw new SecretElsewhere()
  }
}

async function issue(
  api: CredentialApi,
  who: string,
  { quarter, publicKey }: IssuerKey,
  { isFirst, isAnew }: { isFirst: boolean; isAnew: boolean },
): Promise<Issued> {
  const { m1, r } = keptHolder(who) as Holder
  const { credential, issued } = await issueOver(
    { m1, r },
    { purpose: { kind: 'ratings', quarter }, publicKey, isFirst },
    (request) =>
      isFirst
        ? api('POST /api/v1/my/credential', { body: { quarter, request, isAnew } })
        : api('POST /api/v1/my/credential/renewal', { body: { quarter, request } }),
  )
  const renewAt = momentIn(renewalMonthOf(quarter))
  keepHolder(who, { m1, r, credential: { quarter, publicKey, issued, renewAt } })
  sendAwaiting(who)
  return { quarter, credential }
}

interface Asked {
  purpose: Purpose
  publicKey: string
  /** The account has no commitment to this secret yet. */
  isFirst: boolean
}

/**
 * Has a credential issued over a secret, for any purpose.
 * @returns it, and what is kept of it: U and UPrime in base64url
 * @throws ForeignIssuer, and what `send` throws
 */
export async function issueOver(
  secret: Pick<Holder, 'm1' | 'r'>,
  { purpose, publicKey, isFirst }: Asked,
  send: (request: string) => Promise<{ response: string }>,
) {
  const [m1, r] = [
    deserializeScalar(fromBase64url(secret.m1)),
    deserializeScalar(fromBase64url(secret.r)),
  ]
  const context = requestContextOf(purpose)
  const { secrets, request } = isFirst
    ? // Sent twice it is the same commitment, whichever of the two arrives.
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

/** The one of before comes back where the server says no; where it says nothing it may have taken the new one. */
const replaceSecret = (who: string, secret: Holder, work: () => Promise<Issued>) =>
  alone(async () => {
    const former = keptHolder(who)
    mustKeep(who, secret)
    try {
      return await work()
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (former) keepHolder(who, former)
      else forgetHolder(who)
      throw error
    }
  })

const isRefusal = (error: unknown) =>
  error instanceof SecretElsewhere || (error instanceof ApiError && isRefused(error))

/** @throws KeepsNothing */
function mustKeep(who: string, holder: Holder) {
  if (keepHolder(who, holder)) return
  forgetHolder(who)
  throw new KeepsNothing()
}

const freshSecret = (): Holder => ({
  m1: toBase64url(serializeScalar(randomScalar())),
  r: toBase64url(serializeScalar(randomScalar())),
})

/** A request draws first what opens its commitment. */
function beginningWith(first: Scalar): RandomScalar {
  let isFirst = true
  return () => {
    if (!isFirst) return randomScalar()
    isFirst = false
    return first
  }
}

/** Two tabs that begin at once would make two secrets, of which the account has one. */
const alone = <Result>(work: () => Promise<Result>) => inOneTab('kettle-credential', work)
