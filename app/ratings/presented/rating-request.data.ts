/**
 * Anonymous requests about ratings, pay and interviews. The page sends them, or, with background sync, a worker after
 * it's closed. For the worker, the browser stores the finished request and its due time.
 */
import { ApiError, anonymousTransport, createClient, isRefused, statusOf } from '#app/api/client.ts'
import type { Input } from '#app/api/contract.ts'
import type { ServerRating } from '#app/identity/credentials/rated.ts'
import { inOneTab } from '#app/kit/ui/stored-value.ts'
import type { BenefitsContract } from '../benefits/benefits.contract.ts'
import type { InterviewContract, InterviewReceipt } from '../interviews/interview.contract.ts'
import type { PayContract, PayReceipt } from '../pay/pay.contract.ts'
import type { PresentedContract } from './presented.contract.ts'

type GivenContract = PresentedContract & PayContract & InterviewContract & BenefitsContract

export const anonymousApi = createClient<GivenContract>(anonymousTransport)

export const GIVING = 'PUT /api/v1/companies/{id}/presented-rating'
export const REMOVAL = 'POST /api/v1/companies/{id}/rating-by-key/remove'
export const GIVING_PAY = 'PUT /api/v1/companies/{id}/presented-pay'
export const PAY_REMOVAL = 'POST /api/v1/companies/{id}/pay-by-key/remove'
export const GIVING_INTERVIEW = 'PUT /api/v1/companies/{id}/presented-interview'
export const INTERVIEW_REMOVAL = 'POST /api/v1/companies/{id}/interview-by-key/remove'
export const GIVING_BENEFITS = 'PUT /api/v1/companies/{id}/presented-benefits'
export const BENEFITS_REMOVAL = 'POST /api/v1/companies/{id}/benefits-by-key/remove'

type RequestTo<Key extends keyof GivenContract> = { endpoint: Key } & Input<GivenContract[Key]>
export type SubmissionRequest =
  | RequestTo<typeof GIVING>
  | RequestTo<typeof REMOVAL>
  | RequestTo<typeof GIVING_PAY>
  | RequestTo<typeof PAY_REMOVAL>
  | RequestTo<typeof GIVING_INTERVIEW>
  | RequestTo<typeof INTERVIEW_REMOVAL>
  | RequestTo<typeof GIVING_BENEFITS>
  | RequestTo<typeof BENEFITS_REMOVAL>

export type SubmissionResponse = ServerRating<object> & { isOther?: true }

export const NOT_ON_SERVER: ServerRating = { rating: null, published: null, isUnpublished: false }

/** @throws ApiError */
export async function sendRatingRequest(request: SubmissionRequest): Promise<SubmissionResponse> {
  switch (request.endpoint) {
    case GIVING:
      return anonymousApi(GIVING, request)
    case REMOVAL:
      return (await unlessGone(anonymousApi(REMOVAL, request))) ?? NOT_ON_SERVER
    case GIVING_PAY:
      return withReceipt(await anonymousApi(GIVING_PAY, request), request.body.pay)
    case PAY_REMOVAL:
      return removed(await unlessGone(anonymousApi(PAY_REMOVAL, request)))
    case GIVING_INTERVIEW: {
      const receipt = await anonymousApi(GIVING_INTERVIEW, request)
      return withReceipt(receipt, { ...request.body.interview, id: receipt.id })
    }
    case INTERVIEW_REMOVAL:
      return removed(await unlessGone(anonymousApi(INTERVIEW_REMOVAL, request)))
    case GIVING_BENEFITS:
      return withReceipt(await anonymousApi(GIVING_BENEFITS, request), request.body.benefits)
    case BENEFITS_REMOVAL:
      return removed(await unlessGone(anonymousApi(BENEFITS_REMOVAL, request)))
  }
}

/** The site's answer never says what was given. */
const withReceipt = (
  { isOther, version }: PayReceipt,
  given: object | null,
): SubmissionResponse => ({
  ...NOT_ON_SERVER,
  version,
  ...(isOther ? { isOther } : { rating: given }),
})

const removed = (receipt: PayReceipt | InterviewReceipt | undefined) =>
  receipt ? withReceipt(receipt, null) : NOT_ON_SERVER

/** A rating that never arrived, or is deleted, doesn't have to be removed. */
export async function unlessGone<Result>(removal: Promise<Result> | undefined) {
  try {
    return await removal
  } catch (error) {
    if (statusOf(error) !== 404) throw error
  }
}

/** We show such an error to the person, and don't retry automatically. */
export const isFinal = (error: unknown) =>
  error instanceof ApiError && isRefused(error) && error.status !== 429

/** One tab or worker sends. The next one finds nothing left. */
export const inOutboxTab = (work: () => Promise<void>) => inOneTab('kettle-rating-outbox', work)

export interface HandedOver {
  subject: string
  request: SubmissionRequest
  /** When to send it, in milliseconds since 1970. */
  dueAt: number
  /** The server's answer to the worker, until the next visit. */
  answer?: SubmissionResponse
}

export const canHandOver = () => 'SyncManager' in globalThis

const CACHE = 'kettle-handed-over'
const opened = () => caches.open(CACHE)
const cacheKey = (subject: string) => `/handed-over/${subject}`

export async function keepHandedOver(handed: HandedOver) {
  await (await opened()).put(cacheKey(handed.subject), Response.json(handed))
}

export async function handedOver(subject: string): Promise<HandedOver | undefined> {
  const handed = canHandOver() && (await (await opened()).match(cacheKey(subject)))
  return handed ? unlessOutdated(await handed.json()) : undefined
}

/** The server refuses requests that older versions made, so the next page makes them again. */
const unlessOutdated = (handed: HandedOver) =>
  handed.subject &&
  (handed.answer || handed.request.endpoint !== GIVING || 'version' in handed.request.body)
    ? handed
    : undefined

/** The last one unregisters the worker, so nothing shows that someone rated. */
export async function forgetHandedOver(subject: string) {
  if (!canHandOver()) return
  await (await opened()).delete(cacheKey(subject))
  if ((await allHandedOver()).length > 0) return
  await caches.delete(CACHE)
  // The site has no other worker.
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? []
  await Promise.all(registrations.map((it) => it.unregister()))
}

export async function allHandedOver(): Promise<HandedOver[]> {
  const cache = await opened()
  const all = await Promise.all((await cache.keys()).map((key) => cache.match(key)))
  const handed = await Promise.all(all.flatMap((kept) => kept?.json() ?? []))
  return handed.flatMap((it) => unlessOutdated(it) ?? [])
}
