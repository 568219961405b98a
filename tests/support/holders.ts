/** People with a credential in tests: what their browser does, without a browser. */
import { visitor } from '../../app/auth/actor.ts'
import type { Ctx } from '../../app/auth/context.server.ts'
import { randomScalar, type Scalar, serializeScalar } from '../../app/credential/group.ts'
import { holderKeyOf, holderOf } from '../../app/credential/holder-keys.ts'
import type { Issuer } from '../../app/credential/issuer.server.ts'
import {
  type Credential,
  deserializeCredentialResponse,
  deserializeServerPublicKey,
  finalizeCredential,
} from '../../app/credential/issuing.ts'
import {
  createCredentialRequest,
  encryptedSecrets,
  KETTLE,
  type Kept,
  present,
  serializeCredentialRequest,
  serializePresentation,
} from '../../app/credential/profile.ts'
import { ratingContextOf, requestContextOf } from '../../app/credential/purposes.ts'
import { issueCredential } from '../../app/features/credentials/credential-commands.server.ts'
import { messageOf } from '../../app/features/ratings/presented/presented-rating.ts'
import type { RatingInput } from '../../app/features/ratings/rating-input.ts'

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** The same database, asked by nobody. */
export const apart = (ctx: Ctx): Ctx => ({ ...ctx, actor: visitor })

export interface Holder {
  m1: Scalar
  kept: Kept
  quarter: string
  credential: Credential
}

/** A request and what opens its answer. @param kept from the second one on */
export function askedFor(
  issuer: Pick<Issuer, 'publicKeys'>,
  quarter: string,
  m1: Scalar,
  kept?: Kept,
) {
  const requestContext = requestContextOf({ kind: 'ratings', quarter })
  const { secrets, request } = createCredentialRequest(m1, requestContext, randomScalar, kept)
  const key = issuer.publicKeys().find((key) => key.quarter === quarter)?.publicKey
  return {
    request: textOf(serializeCredentialRequest(request)),
    finish(response: string): Holder {
      const credential = finalizeCredential(
        KETTLE,
        secrets,
        deserializeServerPublicKey(key as Uint8Array),
        encryptedSecrets(request.m1Enc, requestContext),
        deserializeCredentialResponse(Buffer.from(response, 'base64url')),
      )
      return {
        m1,
        quarter,
        credential,
        kept: kept ?? { commitment: request.m1Enc, r: secrets.r1 },
      }
    },
  }
}

/** The person of `ctx` gets a credential. */
export async function holderFor(
  ctx: Ctx,
  issuer: Issuer,
  { quarter = '2026-Q1', before }: { quarter?: string; before?: Holder } = {},
) {
  const asked = askedFor(issuer, quarter, before?.m1 ?? randomScalar(), before?.kept)
  const body = { quarter, request: asked.request, isAnew: false }
  return asked.finish((await issueCredential(ctx, body, issuer)).response)
}

export const keyOf = ({ m1 }: Holder, companyId: string) =>
  textOf(holderKeyOf(serializeScalar(m1), companyId))

/** What is sent to rate. @param replaced companies that became part of this one */
export function presented(
  holder: Holder,
  companyId: string,
  rating: RatingInput,
  replaced: string[] = [],
) {
  const said = {
    companyId,
    quarter: holder.quarter,
    holder: textOf(holderOf(holderKeyOf(serializeScalar(holder.m1), companyId))),
    replaces: replaced.map((id) => keyOf(holder, id)),
    rating,
  }
  const shown = present(
    holder.credential,
    ratingContextOf(companyId),
    messageOf(said),
    randomScalar,
  )
  return { ...said, presentation: textOf(serializePresentation(shown)) }
}
