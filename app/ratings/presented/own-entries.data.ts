/** What a person gave once per company and year from this browser, which sends and removes it. The site never tells. */
import { holderKeys, removalKey } from '#app/identity/credentials/holder-keys.data.ts'
import type { CredentialApi } from '#app/identity/credentials/issuing.data.ts'
import { sendLater, submissionsBy, useSubmissions } from '#app/identity/credentials/rated.data.ts'
import { companyOf, kindOf, type Rated, type Submission } from '#app/identity/credentials/rated.ts'
import type { BenefitsInput } from '../benefits/benefits-input.ts'
import type { InterviewInput } from '../interviews/interview-input.ts'
import type { PayInput } from '../pay/pay-input.ts'
import type { RatedCompany } from '../rating.data.ts'
import {
  BENEFITS_REMOVAL,
  GIVING_BENEFITS,
  GIVING_INTERVIEW,
  GIVING_PAY,
  INTERVIEW_REMOVAL,
  PAY_REMOVAL,
  type SubmissionRequest,
} from './rating-request.data.ts'

export interface Contents {
  pay: PayInput
  /** With its id, once it's on the server. */
  interview: InterviewInput & { id?: string }
  benefits: BenefitsInput
}
export type EntryKind = keyof Contents

/** Where a company's page has them. */
export const TABS: Record<EntryKind, string> = {
  pay: 'pay',
  interview: 'interviews',
  benefits: 'benefits',
}

export const entrySubject = (kind: EntryKind, companyId: string, year: number) =>
  `${kind}:${companyId}:${year}`
const yearOf = (subject: string) => Number(subject.split(':')[2])

type RatedEntry<Kind extends EntryKind> = Rated<Contents[Kind], Contents[Kind]>

export interface OwnEntry<Kind extends EntryKind>
  extends Pick<RatedEntry<Kind>, 'outgoing' | 'onServer' | 'formerIds'> {
  kind: Kind
  subject: string
  company: RatedCompany
  year: number
  /** Null while it's being removed. */
  content: Contents[Kind] | null
}

const entriesIn = <Kind extends EntryKind>(kind: Kind, given: Record<string, Submission>) =>
  Object.entries(given)
    .filter(([subject]) => kindOf(subject) === kind)
    .map(([subject, it]): OwnEntry<Kind> => {
      const { name, path, formerIds, outgoing, onServer } = it as RatedEntry<Kind>
      return {
        kind,
        subject,
        company: { id: companyOf(subject), name, path },
        year: yearOf(subject),
        formerIds,
        ...(outgoing && { outgoing }),
        ...(onServer && { onServer }),
        content: outgoing ? outgoing.rating : (onServer?.rating ?? null),
      }
    })
    .toSorted(
      (one, other) => one.company.name.localeCompare(other.company.name) || other.year - one.year,
    )

/** By company, the last year first. */
export const useOwnEntries = <Kind extends EntryKind>(kind: Kind, sessionKey: string) =>
  entriesIn(kind, useSubmissions(sessionKey))

/** For the person's data export. */
export const entriesOfThisBrowser = (kind: EntryKind, sessionKey: string): object[] =>
  entriesIn(kind, submissionsBy(sessionKey))
    .filter(({ content }) => content !== null)
    .map(({ company, content, outgoing }) => ({
      company: company.name,
      companyId: company.id,
      ...content,
      isSent: !outgoing,
    }))

export interface Whose {
  company: RatedCompany
  sessionKey: string
  formerIds: string[]
}

/**
 * Fetches the credential immediately, so problems show while the form is open. The entry is sent later.
 * @throws SecretElsewhere, ForeignIssuer, StorageBlocked, ApiError
 */
export async function saveEntry<Kind extends EntryKind>(
  kind: Kind,
  { api, company, sessionKey, formerIds }: Whose & { api: CredentialApi },
  content: Contents[Kind],
  badge?: { domain: string },
) {
  const { credentialOf } = await import('#app/identity/credentials/issuing.data.ts')
  await credentialOf(api, sessionKey)
  sendLater(sessionKey, company, { rating: content, ...(badge && { badge }), formerIds }, (id) =>
    entrySubject(kind, id, content.year),
  )
}

/** Also removes what only another device knows. */
export const removeOwnEntry = (
  kind: EntryKind,
  { company, sessionKey, formerIds }: Whose,
  year: number,
) =>
  sendLater(sessionKey, company, { rating: null, formerIds }, (id) => entrySubject(kind, id, year))

const REMOVALS = {
  pay: PAY_REMOVAL,
  interview: INTERVIEW_REMOVAL,
  benefits: BENEFITS_REMOVAL,
} as const

/** What's sent next, if anything. Loads the curve. @throws what `presentedBody` throws */
export async function entryRequestOf(
  sessionKey: string,
  subject: string,
): Promise<SubmissionRequest | undefined> {
  const { outgoing, onServer, formerIds = [] } = submissionsBy(sessionKey)[subject] ?? {}
  if (!outgoing) return undefined
  const kind = kindOf(subject) as EntryKind
  const id = companyOf(subject)
  const params = { id }
  if (outgoing.rating) {
    const { presentedBenefitsBody, presentedInterviewBody, presentedPayBody } = await import(
      './presenting.data.ts'
    )
    const { rating, badge, version = 1 } = outgoing
    const said = { badge, version, formerIds }
    if (kind === 'pay') {
      const body = presentedPayBody(sessionKey, id, { pay: rating as PayInput, ...said })
      return { endpoint: GIVING_PAY, params, body }
    }
    if (kind === 'benefits') {
      const benefits = rating as BenefitsInput
      const body = presentedBenefitsBody(sessionKey, id, { benefits, ...said })
      return { endpoint: GIVING_BENEFITS, params, body }
    }
    const interview = rating as InterviewInput
    const body = presentedInterviewBody(sessionKey, id, { interview, ...said })
    return { endpoint: GIVING_INTERVIEW, params, body }
  }
  const keys = keysOf(sessionKey, subject, formerIds)
  const key = removalKey(sessionKey, subject, onServer?.version ?? 0)
  if (!keys || !key) return undefined
  return { endpoint: REMOVALS[kind], params, body: { keys, removalKey: key } }
}

/** The keys that find an entry, also at companies merged into its own. */
export const keysOf = (sessionKey: string, subject: string, formerIds: string[]) =>
  holderKeys(
    sessionKey,
    [companyOf(subject), ...formerIds].map((id) =>
      entrySubject(kindOf(subject) as EntryKind, id, yearOf(subject)),
    ),
  )
