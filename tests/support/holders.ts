/** People with a credential, for tests. Does what their browser does, without a browser. */
import { visitor } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { randomScalar, type Scalar, serializeScalar } from '#app/api/credential/group.ts'
import { holderKeyOf, keyHashOf, removalKeyOf, roomKeyOf } from '#app/api/credential/holder-keys.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { IssuerList } from '#app/api/credential/issuer-list.ts'
import {
  type Credential,
  deserializeCredentialResponse,
  deserializeServerPublicKey,
  finalizeCredential,
} from '#app/api/credential/issuing.ts'
import {
  createCredentialRequest,
  encryptedSecrets,
  KETTLE,
  type OpenedCommitment,
  present,
  serializeCredentialRequest,
  serializePresentation,
} from '#app/api/credential/profile.ts'
import {
  benefitsContextOf,
  interviewContextOf,
  type Purpose,
  payContextOf,
  postContextOf,
  ratingContextOf,
  requestContextOf,
  roomDayContextOf,
  roomReportContextOf,
  roomThreadContextOf,
} from '#app/api/credential/purposes.ts'
import { quarterOf } from '#app/api/credential/quarter.ts'
import { passMessage, roomPostMessage, roomReportMessage } from '#app/community/rooms/room.ts'
import { type BadgedPost, postMessageOf } from '#app/companies/badges/badge.ts'
import { issueBadge } from '#app/companies/badges/badge-commands.server.ts'
import {
  badgeCodeOf,
  newBadgeRequest,
  sealedBadgeRequest,
} from '#app/companies/badges/badge-request.server.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { ISSUER_PATH } from '#app/identity/credentials/credential.ts'
import {
  beginCredential,
  renewCredential,
} from '#app/identity/credentials/credential-commands.server.ts'
import { EARLIER_RATINGS_MAX } from '#app/identity/credentials/rated.ts'
import { sealVault } from '#app/identity/credentials/vault.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { benefitsSubject } from '#app/ratings/benefits/benefits.ts'
import { type BenefitsInput, benefitsMessage } from '#app/ratings/benefits/benefits-input.ts'
import { interviewSubject } from '#app/ratings/interviews/interview.ts'
import { type InterviewInput, interviewMessage } from '#app/ratings/interviews/interview-input.ts'
import { paySubject } from '#app/ratings/pay/pay.ts'
import { type PayInput, payMessage } from '#app/ratings/pay/pay-input.ts'
import { messageOf, type RatingInput } from '#app/ratings/rating-input.ts'

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** The same database, without a signed-in person. */
export const apart = (ctx: Ctx): Ctx => ({ ...ctx, actor: visitor })

export interface Holder {
  m1: Scalar
  kept: OpenedCommitment
  quarter: string
  credential: Credential
}

/**
 * A request, and the function that opens its response.
 * @param kept from the second request on
 */
export function issuingRequestFor(
  issuer: Pick<Issuer, 'list'>,
  quarter: string,
  m1: Scalar,
  kept?: OpenedCommitment,
  purpose: Purpose = { kind: 'ratings', quarter },
) {
  const requestContext = requestContextOf(purpose)
  const { secrets, request } = createCredentialRequest(m1, requestContext, randomScalar, kept)
  return {
    request: textOf(serializeCredentialRequest(request)),
    async finish(response: string): Promise<Holder> {
      const { keys } = await issuer.list()
      const { publicKey = '' } = keys.find((key) => key.quarter === quarter) ?? {}
      const credential = finalizeCredential(
        KETTLE,
        secrets,
        deserializeServerPublicKey(Buffer.from(publicKey, 'base64url')),
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

/** Issues a credential to the person of `ctx`. */
export async function holderFor(
  ctx: Ctx,
  issuer: Issuer,
  { quarter = '2026-Q1', before }: { quarter?: string; before?: Holder } = {},
) {
  const asked = issuingRequestFor(issuer, quarter, before?.m1 ?? randomScalar(), before?.kept)
  const body = { quarter, request: asked.request }
  const { response } = before
    ? await renewCredential(ctx, body, issuer)
    : await beginCredential(ctx, { ...body, isAnew: false }, issuer)
  return asked.finish(response)
}

type Ask = (method: string, path: string, body?: object) => Promise<unknown>

/**
 * Does the same over HTTP.
 * @param ask sends as that person, except to public endpoints
 */
export async function holderOver(ask: Ask): Promise<Holder> {
  const { quarter, issuer } = await presentIssuer(ask)
  const m1 = randomScalar()
  const asked = issuingRequestFor(issuer, quarter, m1)
  const vault = await firstVaultOf(m1)
  const body = { quarter, request: asked.request, vault }
  const answer = (await ask('POST', '/api/v1/my/credential', body)) as { response: string }
  return asked.finish(answer.response)
}

/** The secret, sealed with words that the browser keeps. The vault's other contents don't matter. */
async function firstVaultOf(m1: Scalar) {
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const secret = { m1: Uint8Array.from(serializeScalar(m1)), r: random(32) }
  return textOf(await sealVault(secret, [{ kind: 'words', bits: random(16) }]))
}

/** Enters the code that was sent to a work address. */
export async function badgeOver(
  ask: Ask,
  { m1, kept }: Holder,
  { domain, ...coded }: Coded & { domain: string },
): Promise<Holder> {
  const { quarter, issuer } = await presentIssuer(ask)
  const asked = issuingRequestFor(issuer, quarter, m1, kept, { kind: 'badge', domain, quarter })
  const body = { ...coded, quarter, request: asked.request }
  const answer = (await ask('POST', '/api/v1/my/badge/credential', body)) as { response: string }
  return asked.finish(answer.response)
}

async function presentIssuer(ask: Ask) {
  const list = (await ask('GET', ISSUER_PATH)) as IssuerList
  return { quarter: list.quarter, issuer: { list: async () => list } }
}

/** Confirms an address at the company. */
export async function badgeFor(
  ctx: Ctx,
  issuer: Issuer,
  { holder, ...about }: { holder: Holder; companyId: string; domain: string; email: string },
) {
  return badgeByCode(ctx, issuer, { holder, ...codedBadge(ctx, about), domain: about.domain })
}

interface Coded {
  token: string
  code: string
}

/** Without a limit for wrong codes. */
export const freely = (ctx: Ctx) => ({
  ...ctx,
  tries: { use: async () => undefined, giveBack: async () => {} },
})

/** What the browser gets when it asks, and the code in the email. */
export function codedBadge(
  ctx: Ctx,
  about: { companyId: string; domain: string; email: string },
): Coded {
  const request = newBadgeRequest(ctx, { accountId: ctx.actor.account?.id as string, ...about })
  return { token: sealedBadgeRequest(ctx, request), code: badgeCodeOf(ctx, request) }
}

/** Enters the code that was sent to that address. */
export async function badgeByCode(
  ctx: Ctx,
  issuer: Issuer,
  { holder, domain, ...coded }: Coded & { holder: Holder; domain: string },
): Promise<Holder> {
  const quarter = quarterOf(todayOf(ctx))
  const purpose = { kind: 'badge', domain, quarter } as const
  const asked = issuingRequestFor(issuer, quarter, holder.m1, holder.kept, purpose)
  return asked.finish(
    (await issueBadge(freely(ctx), { ...coded, quarter, request: asked.request }, issuer)).response,
  )
}

/** What's sent along with a post. */
export function badged(
  badge: Holder,
  about: { companyId: string; domain: string },
  post: BadgedPost,
) {
  const presented = present(
    badge.credential,
    postContextOf(post.idempotencyKey),
    postMessageOf(about.companyId, post),
    randomScalar,
  )
  return {
    ...about,
    quarter: badge.quarter,
    presentation: textOf(serializePresentation(presented)),
  }
}

export const keyOf = ({ m1 }: Holder, companyId: string) =>
  textOf(holderKeyOf(serializeScalar(m1), companyId))

/** What each of a person's devices knows, by the key that finds it. */
const madeBefore = new Map<string, RatingInput[]>()

/** The number of the last change, by the same key as above, because browsers count per company. */
const numbers = new Map<string, number>()

/** The request that removes the latest rating. */
export const removing = (holder: Holder, companyId: string) => {
  const key = keyOf(holder, companyId)
  const version = numbers.get(key) ?? 0
  return {
    keys: [key],
    removalKey: textOf(removalKeyOf(serializeScalar(holder.m1), companyId, version)),
  }
}

/**
 * The request that rates.
 * @param replaced companies that were merged into this one
 * @param badge for a holder whose credential is a badge
 * @param over what the device knows. By default, every rating made here for the company so far
 */
export function presented(
  holder: Holder,
  companyId: string,
  rating: RatingInput,
  replaced: string[] = [],
  badge?: { domain: string },
  over?: RatingInput[],
) {
  const keys = [companyId, ...replaced].map((id) => keyOf(holder, id))
  const known = keys.flatMap((key) => madeBefore.get(key) ?? [])
  madeBefore.set(keyOf(holder, companyId), [...known, rating].slice(-EARLIER_RATINGS_MAX))
  const version = Math.max(...keys.map((key) => numbers.get(key) ?? 0)) + 1
  numbers.set(keyOf(holder, companyId), version)
  const said = {
    companyId,
    quarter: holder.quarter,
    holder: textOf(keyHashOf(holderKeyOf(serializeScalar(holder.m1), companyId))),
    mergedKeys: replaced.map((id) => keyOf(holder, id)),
    rating,
    ...(badge && { badge }),
    supersedes: over ?? known.slice(-EARLIER_RATINGS_MAX),
    version,
    removal: textOf(keyHashOf(removalKeyOf(serializeScalar(holder.m1), companyId, version))),
  }
  const presented = present(
    holder.credential,
    ratingContextOf(companyId),
    messageOf(said),
    randomScalar,
  )
  return { ...said, presentation: textOf(serializePresentation(presented)) }
}

/** The request that gives a year's pay. @param former companies that were merged into this one */
export function presentedPay(
  holder: Holder,
  companyId: string,
  pay: PayInput,
  version: number,
  { badge, former = [] }: { badge?: { domain: string }; former?: string[] } = {},
) {
  const said = {
    companyId,
    ...entryParts(holder, paySubject(companyId, pay.year), version),
    mergedKeys: former.map((id) => keyOf(holder, paySubject(id, pay.year))),
    pay,
    ...(badge && { badge }),
  }
  return {
    ...said,
    ...presentationOf(holder, payContextOf(companyId, pay.year), payMessage(said)),
  }
}

/** The request that gives a year's interview. @param former companies that were merged into this one */
export function presentedInterview(
  holder: Holder,
  companyId: string,
  interview: InterviewInput,
  version: number,
  former: string[] = [],
) {
  const { year } = interview
  const said = {
    companyId,
    ...entryParts(holder, interviewSubject(companyId, year), version),
    mergedKeys: former.map((id) => keyOf(holder, interviewSubject(id, year))),
    interview,
  }
  return {
    ...said,
    ...presentationOf(holder, interviewContextOf(companyId, year), interviewMessage(said)),
  }
}

/** The request that gives a year's benefits. @param former companies that were merged into this one */
export function presentedBenefits(
  holder: Holder,
  companyId: string,
  benefits: BenefitsInput,
  version: number,
  former: string[] = [],
) {
  const { year } = benefits
  const said = {
    companyId,
    ...entryParts(holder, benefitsSubject(companyId, year), version),
    mergedKeys: former.map((id) => keyOf(holder, benefitsSubject(id, year))),
    benefits,
  }
  return {
    ...said,
    ...presentationOf(holder, benefitsContextOf(companyId, year), benefitsMessage(said)),
  }
}

const entryParts = (holder: Holder, subject: string, version: number) => {
  const m1 = serializeScalar(holder.m1)
  return {
    quarter: holder.quarter,
    holder: textOf(keyHashOf(holderKeyOf(m1, subject))),
    removal: textOf(keyHashOf(removalKeyOf(m1, subject, version))),
    version,
  }
}

/** The request that removes this version of a year's pay, or interview. */
export const removingPay = (holder: Holder, subject: string, version: number) => ({
  keys: [keyOf(holder, subject)],
  removalKey: textOf(removalKeyOf(serializeScalar(holder.m1), subject, version)),
})

const presentationOf = (
  { credential, quarter }: Holder,
  context: Uint8Array,
  message: Uint8Array,
) => ({
  quarter,
  presentation: textOf(serializePresentation(present(credential, context, message, randomScalar))),
})

/** The request that enters a room. */
export const entering = (badge: Holder, domain: string, day: string, challenge: string) => ({
  challenge,
  domain,
  ...presentationOf(badge, roomDayContextOf(domain, day), passMessage(challenge)),
})

export const roomKey = ({ m1 }: Holder, threadId: string) =>
  textOf(roomKeyOf(serializeScalar(m1), threadId))

export const roomHolder = ({ m1 }: Holder, threadId: string) =>
  textOf(keyHashOf(roomKeyOf(serializeScalar(m1), threadId)))

/** The request that posts in a room. */
export function inRoom(
  badge: Holder,
  pass: string,
  said: { id: string; threadId: string; title: string | null; body: string },
) {
  const post = { ...said, holder: roomHolder(badge, said.threadId) }
  return {
    ...post,
    pass,
    ...presentationOf(badge, roomThreadContextOf(said.threadId), roomPostMessage(post)),
  }
}

/** The request that reports a post in a room. */
export const reportingInRoom = (
  badge: Holder,
  pass: string,
  id: string,
  said: { reason: Reason; note: string },
) => ({
  pass,
  ...said,
  ...presentationOf(badge, roomReportContextOf(id), roomReportMessage(id, said)),
})
