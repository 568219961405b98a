/**
 * `POST /functions/v1/notify-company-request` (Spec §7.3): after saving a request with "notify me", the browser asks us
 * to email the owner.
 *
 * The bearer is a member's access token, or for a visitor the token from saving the request. With the specification's
 * public anonymous key, anyone who reads the page's source could send endless emails. Each request leads to at most one
 * email, only to the owner, with the saved text and address. The call only has to name the same company. So no one can
 * use it as a relay.
 */

import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { RequestIdentity } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requestReader } from '#app/api/request.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import {
  createNetworkLimit,
  networkOf,
  requireCapacity,
} from '#app/platform/http/rate-limits.server.ts'
import { badRequest, forbidden, Refusal } from '#app/platform/http/refusal.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { type MailSite, mailOf } from '#app/platform/mail/mail-layout.server.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { NO_WEBSITE, tidyRequest } from './company-request.ts'
import { requesterEmail } from './request-queries.server.ts'
import { ANONYMOUS_REQUESTER, REQUEST_REFUSALS, REVIEW_TEXTS } from './request-review.ts'

/** Requests per network. */
const LIMIT = { uses: 10, seconds: 600 }

/** Task `{ requestId }`: writes the mail. */
export const REQUEST_NOTICE_TASK: TaskKind<{ requestId: string }> = 'company-request-notice'

const Body = z.object({
  companyName: z.string().max(2_000),
  companyWebsite: z.string().max(2_000),
  requesterEmail: z.string().max(2_000),
})

const reader = requestReader({ body: Body })

export function registerRequestNotices(
  app: FastifyInstance,
  settings: {
    context: ServerContext
    contextOf: (identity: RequestIdentity) => Promise<Ctx>
    hasRateLimits: boolean
  },
) {
  const { context, contextOf, hasRateLimits } = settings
  const limit = createNetworkLimit({ name: 'request-notices', ...LIMIT, isOn: hasRateLimits })
  app.route({
    method: 'POST',
    url: '/functions/v1/notify-company-request',
    schema: {
      summary: 'Notify the owner of a request that was saved with "notify me"',
      tags: ['company-requests'],
      response: { 200: z.object({ success: z.literal(true) }) },
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const network = networkOf(request.ip)
      await requireCapacity(limit, network)
      const { authorization } = request.headers
      const token = /^Bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1]
      if (token === undefined) throw new Refusal('sign-in-required', REQUEST_REFUSALS.noToken)
      const requestId = requestOfToken(context, token)
      // Refuses any other token.
      const ctx = requestId === undefined ? await contextOf({ authorization, network }) : undefined
      if (!Body.safeParse(request.body).success) throw badRequest(REQUEST_REFUSALS.notText)
      const { body } = reader.read(request)
      const { companyName } = tidyRequest({ ...body, isNotify: true, notifyEmail: '' })
      await noticeRequest(context, {
        companyName,
        requestId: requestId ?? null,
        accountId: ctx?.actor.account?.id ?? null,
      })
      return { success: true as const }
    },
  })
}

interface Notice {
  companyName: string
  /** The request's id, from a visitor's token … */
  requestId: string | null
  /** … or a member's account. */
  accountId: string | null
}

/** Idempotent. @throws Refusal forbidden for someone else's request */
const noticeRequest = (base: ServerContext, notice: Notice) =>
  transaction(base, async ({ db, queue }) => {
    const { companyName, requestId, accountId } = notice
    const [request] = await db.query<{ id: string; isTold: boolean }>(sql`
      select id, is_notified as "isTold" from company_requests
       where company_name = ${companyName} and notify
         and (id = ${requestId}::uuid or requested_by = ${accountId}::uuid)
       order by is_notified, number desc limit 1 for update`)
    if (!request) throw forbidden(REQUEST_REFUSALS.otherToken)
    if (request.isTold) return
    await db.query(sql`update company_requests set is_notified = true where id = ${request.id}`)
    await queue.enqueue(db, REQUEST_NOTICE_TASK, { requestId: request.id })
  })

/**
 * The task: for a pending request, with the stored address or the account's. We don't use the call's address, which
 * could be anyone's.
 */
export async function sendRequestNotice(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  mailer: Pick<Mailer, 'send'>,
  site: MailSite & { ownerEmail?: string },
  { requestId }: { requestId: string },
) {
  if (!site.ownerEmail) return
  const [request] = await db.query<{
    name: string
    website: string | null
    accountId: string | null
    accountSealed: string | null
    emailSealed: string | null
  }>(sql`
    select request.company_name as name, request.company_website as website,
           account.id as "accountId", account.email_sealed as "accountSealed", request.requester_email as "emailSealed"
      from company_requests request
      left join accounts account on account.id = request.requested_by
     where request.id = ${requestId} and request.status = 'pending'`)
  if (!request) return
  await mailer.send({
    to: site.ownerEmail,
    ...mailOf(site, {
      subject: `Company request: ${request.name}`,
      heading: 'Someone requested a company',
      paragraphs: [
        `Company: ${request.name}`,
        `Website: ${request.website ?? NO_WEBSITE}`,
        REVIEW_TEXTS.requestedBy(
          requesterEmail(secrets, { ...request, id: requestId }) ?? ANONYMOUS_REQUESTER,
        ),
        'They want to know when it’s added.',
      ],
      action: { label: 'See the requests', href: `${site.siteUrl()}/admin-panel` },
    }),
  })
}

/**
 * A bearer token for a visitor's browser: once, within ten minutes, it lets the browser notify the owner of the request
 * just made, and nothing else. It consists of the request's id and its expiry under a keyed hash, so we store nothing.
 */
const LASTS_MINUTES = 10
const MINUTE_MS = 60_000

type Sealing = Pick<ServerContext, 'secrets' | 'now'>

export function noticeToken({ secrets, now }: Sealing, requestId: string): string {
  const end = String(Math.floor(now().getTime() / MINUTE_MS) + LASTS_MINUTES)
  return [requestId, end, secrets.hash('company request notice', requestId, end)].join('.')
}

/** Undefined if the token isn't ours or has expired. */
export function requestOfToken({ secrets, now }: Sealing, token: string): string | undefined {
  const [, requestId, end, mark] = /^([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  if (!requestId || !end || !mark || Number(end) * MINUTE_MS < now().getTime()) return undefined
  const wanted = secrets.hash('company request notice', requestId, end)
  return timingSafeEqual(Buffer.from(wanted), Buffer.from(mark)) ? requestId : undefined
}
