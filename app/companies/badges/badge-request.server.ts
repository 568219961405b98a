/**
 * A request for a badge. The browser that asked keeps it, sealed, so no table records that someone asked. The email to
 * the work address only has a code, so an employer's filter learns nothing and no one has to forward a link.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { mailboxOf } from '#app/api/auth/addresses.server.ts'
import { quarterOf } from '#app/api/credential/quarter.ts'
import { groupedMailCode, mailCodeOf } from '#app/kit/writing/mail-code.ts'
import { openToken } from '#app/platform/database/secrets.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { endIn, isStillValid, todayOf } from '#app/platform/days.server.ts'
import { type MailSite, mailOf } from '#app/platform/mail/mail-layout.server.ts'
import type { MailSender } from '#app/platform/mail/mail-tasks.server.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { BADGE_CODE_MINUTES } from './badge.ts'

/** The seal's context, so nothing sealed for another purpose opens as a request. */
const PLACE = 'badge request'
const ID_BYTES = 16

const Request = z.object({
  id: z.string(),
  accountId: z.string(),
  companyId: z.string(),
  domain: z.string(),
  quarter: z.string(),
  addressHash: z.string(),
  /** Minutes since 1970. */
  end: z.number(),
})
export type BadgeRequest = z.output<typeof Request>

type Hashing = Pick<ServerContext, 'secrets'>
type RequestContext = Pick<ServerContext, 'secrets' | 'now'>

export function newBadgeRequest(
  ctx: RequestContext,
  wanted: Pick<BadgeRequest, 'accountId' | 'companyId' | 'domain'> & { email: string },
): BadgeRequest {
  const { email, ...about } = wanted
  const quarter = quarterOf(todayOf(ctx))
  return {
    ...about,
    id: randomBytes(ID_BYTES).toString('base64url'),
    quarter,
    addressHash: badgeAddressHash(ctx.secrets, quarter, { email, domain: about.domain }),
    end: endIn(BADGE_CODE_MINUTES, ctx.now()),
  }
}

export const sealedBadgeRequest = ({ secrets }: Hashing, request: BadgeRequest) =>
  secrets.seal(JSON.stringify(request), PLACE)

/** Stored so an address gets only one badge a quarter. In base64url. */
export const badgeAddressHash = (
  secrets: RequestContext['secrets'],
  quarter: string,
  mailbox: { email: string; domain: string },
) => secrets.hash('badge address', quarter, oneMailbox(mailbox))

/**
 * `dana+kettle@acme.example`, `dana@acme.example` and `dana@hr.acme.example` count as one mailbox: many companies deliver
 * all their domains to one. Two namesakes share a badge; but if one person could have two, the counts would be wrong.
 */
function oneMailbox({ email, domain }: { email: string; domain: string }) {
  const mailbox = mailboxOf(email)
  return `${mailbox.slice(0, mailbox.lastIndexOf('@'))}@${domain}`
}

/** Returns undefined for an expired or made-up request. */
export function openBadgeRequest(
  { secrets, now }: RequestContext,
  token: string,
): BadgeRequest | undefined {
  const request = Request.safeParse(openToken(secrets, token, PLACE)).data
  return request && isStillValid(request.end, BADGE_CODE_MINUTES, now()) ? request : undefined
}

/** The code in the email, which the request doesn't contain. */
export const badgeCodeOf = ({ secrets }: Hashing, { id }: BadgeRequest) =>
  mailCodeOf(secrets.hash('badge code', id))

export const requestHash = ({ secrets }: Hashing, { id }: BadgeRequest) =>
  Buffer.from(secrets.hash('badge link', id), 'base64url')

export const BADGE_CODE_TASK: TaskKind<BadgeCodeWanted> = 'badge-code'

/** The whole task is sealed, and deleted once the email is sent. */
export interface BadgeCodeWanted {
  sealed: string
}

interface BadgeCodeMail {
  to: string
  code: string
}

export function enqueueBadgeCode(
  { db, queue, secrets }: Pick<ServerContext, 'db' | 'queue' | 'secrets'>,
  wanted: BadgeCodeMail,
) {
  const payload: BadgeCodeWanted = { sealed: secrets.seal(JSON.stringify(wanted)) }
  return queue.enqueue(db, BADGE_CODE_TASK, payload)
}

/** An employer may read the mail, so it names no account, no company and no purpose. */
export async function sendBadgeCode(
  { secrets }: Hashing,
  mailer: MailSender,
  site: MailSite,
  { sealed }: BadgeCodeWanted,
) {
  const { to, code } = JSON.parse(secrets.open(sealed)) as BadgeCodeMail
  if (!(await mailer.hasRoomFor(to))) return
  await mailer.send({
    to,
    ...mailOf(site, {
      subject: `Your ${site.siteName} code`,
      heading: groupedMailCode(code),
      paragraphs: ['Enter this code on the page where you asked for it. It expires in an hour.'],
      note: 'If this wasn’t you, ignore this email. Nothing happens without the code.',
    }),
  })
}
