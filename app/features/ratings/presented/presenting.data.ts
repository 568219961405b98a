/** Proves that one may rate a company, and not who one is. Heavy with the curve: loaded when a rating is sent. */
import { randomScalar, serializeScalar } from '../../../credential/group.ts'
import { holderKeyOf, holderOf } from '../../../credential/holder-keys.ts'
import { present, serializePresentation } from '../../../credential/profile.ts'
import { ratingContextOf } from '../../../credential/purposes.ts'
import { toBase64url } from '../../credentials/base64url.ts'
import { type CredentialApi, credentialOf, lastCredential } from '../../credentials/issuing.data.ts'
import type { RatingInput } from '../rating-input.ts'
import { messageOf } from './presented-rating.ts'

interface Given {
  rating: RatingInput
  formerIds: string[]
  /** Of the account, while somebody is signed in: for a credential of the present quarter. */
  api?: CredentialApi
}

/** @throws SecretElsewhere where this browser has no credential, and as `credentialOf` */
export async function presentedBody(
  who: string,
  companyId: string,
  { rating, formerIds, api }: Given,
) {
  const { quarter, credential } = api ? await credentialOf(api, who) : lastCredential(who)
  const m1 = serializeScalar(credential.m1)
  const said = {
    quarter,
    holder: toBase64url(holderOf(holderKeyOf(m1, companyId))),
    replaces: formerIds.map((id) => toBase64url(holderKeyOf(m1, id))),
    rating,
  }
  const shown = present(
    credential,
    ratingContextOf(companyId),
    messageOf({ companyId, ...said }),
    randomScalar,
  )
  return { ...said, presentation: toBase64url(serializePresentation(shown)) }
}
