/** What a person gave about their pay from this browser, which sends and removes it. The site never tells. */
import { holderKeys, removalKey } from '#app/identity/credentials/holder-keys.data.ts'
import type { CredentialApi } from '#app/identity/credentials/issuing.data.ts'
import { sendLater, submissionsBy, useSubmissions } from '#app/identity/credentials/rated.data.ts'
import {
  companyOf,
  isRating,
  type Rated,
  type Submission,
} from '#app/identity/credentials/rated.ts'
import {
  GIVING_PAY,
  PAY_REMOVAL,
  type SubmissionRequest,
} from '../presented/rating-request.data.ts'
import type { RatedCompany } from '../rating.data.ts'
import { type PaySubject, paySubject, yearOf } from './pay.ts'
import type { PayInput } from './pay-input.ts'

export interface OwnPay extends Pick<Rated<PayInput, PayInput>, 'outgoing' | 'formerIds'> {
  subject: PaySubject
  company: RatedCompany
  year: number
  /** Null while it's being removed. */
  pay: PayInput | null
}

const ownPayIn = (submissions: Record<string, Submission>): OwnPay[] =>
  Object.entries(submissions)
    .filter(([subject]) => !isRating(subject))
    .map(([subject, it]) => {
      const { name, path, formerIds, outgoing, onServer } = it as Rated<PayInput, PayInput>
      return {
        subject: subject as PaySubject,
        company: { id: companyOf(subject), name, path },
        year: yearOf(subject),
        formerIds,
        ...(outgoing && { outgoing }),
        pay: outgoing ? outgoing.rating : (onServer?.rating ?? null),
      }
    })
    .toSorted(
      (one, other) => one.company.name.localeCompare(other.company.name) || other.year - one.year,
    )

/** By company, the last year first. */
export const useOwnPay = (sessionKey: string) => ownPayIn(useSubmissions(sessionKey))

/** For the person's data export. */
export const payOfThisBrowser = (sessionKey: string): object[] =>
  ownPayIn(submissionsBy(sessionKey))
    .filter(({ pay }) => pay !== null)
    .map(({ company, pay, outgoing }) => ({
      company: company.name,
      companyId: company.id,
      ...pay,
      isSent: !outgoing,
    }))

interface Whose {
  company: RatedCompany
  sessionKey: string
  formerIds: string[]
}

/**
 * Fetches the credential immediately, so problems show while the form is open. The entry is sent later.
 * @throws SecretElsewhere, ForeignIssuer, StorageBlocked, ApiError
 */
export async function savePay(
  { api, company, sessionKey, formerIds }: Whose & { api: CredentialApi },
  { pay, badge }: { pay: PayInput; badge?: { domain: string } | undefined },
) {
  const { credentialOf } = await import('#app/identity/credentials/issuing.data.ts')
  await credentialOf(api, sessionKey)
  sendLater(sessionKey, company, { rating: pay, ...(badge && { badge }), formerIds }, (id) =>
    paySubject(id, pay.year),
  )
}

/** Also removes what only another device knows. */
export const removeOwnPay = ({ company, sessionKey, formerIds }: Whose, year: number) =>
  sendLater(sessionKey, company, { rating: null, formerIds }, (id) => paySubject(id, year))

/** What's sent next, if anything. Loads the curve. @throws what `presentedPayBody` throws */
export async function payRequestOf(
  sessionKey: string,
  subject: string,
): Promise<SubmissionRequest | undefined> {
  const {
    outgoing,
    onServer,
    formerIds = [],
  } = (submissionsBy(sessionKey)[subject] ?? {}) as Partial<Rated<PayInput, PayInput>>
  if (!outgoing) return undefined
  const id = companyOf(subject)
  const params = { id }
  if (outgoing.rating) {
    const { presentedPayBody } = await import('../presented/presenting.data.ts')
    const { rating: pay, badge, version = 1 } = outgoing
    const body = presentedPayBody(sessionKey, id, { pay, badge, version, formerIds })
    return { endpoint: GIVING_PAY, params, body }
  }
  const year = yearOf(subject)
  const keys = holderKeys(
    sessionKey,
    [id, ...formerIds].map((id) => paySubject(id, year)),
  )
  const key = removalKey(sessionKey, subject, onServer?.version ?? 0)
  if (!keys || !key) return undefined
  const body = { keys, removalKey: key }
  return { endpoint: PAY_REMOVAL, params, body }
}
