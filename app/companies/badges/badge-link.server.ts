/** The link in the mail to a work address. It contains all state, sealed, so that no table says that someone asked. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { mailboxOf } from '#app/api/auth/addresses.server.ts'
import { quarterOf } from '#app/api/credential/quarter.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { openToken } from '#app/platform/database/secrets.server.ts'
import { endIn, isStillValid, todayOf } from '#app/platform/jobs/days.server.ts'
import type { Post } from '#app/platform/mail/mail-jobs.server.ts'
import { mailOf } from '#app/platform/mail/mail-layout.server.ts'
import { BADGE_LINK_HOURS, BADGE_PATH } from './badge.ts'

/** Context of the seal, so that nothing sealed for another use opens as a link. */
const PLACE = 'badge link'
const ID_BYTES = 16
const LASTS_MINUTES = BADGE_LINK_HOURS * 60

const Link = z.object({
  id: z.string(),
  accountId: z.string(),
  companyId: z.string(),
  domain: z.string(),
  quarter: z.string(),
  addressHash: z.string(),
  /** Minutes since 1970. */
  end: z.number(),
})
export type BadgeLink = z.output<typeof Link>

type LinkContext = Pick<ServerContext, 'secrets' | 'now'>

export function makeBadgeLink(
  ctx: LinkContext,
  wanted: Pick<BadgeLink, 'accountId' | 'companyId' | 'domain'> & { email: string },
) {
  const { email, ...about } = wanted
  const quarter = quarterOf(todayOf(ctx))
  const link: BadgeLink = {
    ...about,
    id: randomBytes(ID_BYTES).toString('base64url'),
    quarter,
    addressHash: badgeAddressHash(ctx.secrets, quarter, { email, domain: about.domain }),
    end: endIn(LASTS_MINUTES, ctx.now()),
  }
  return ctx.secrets.seal(JSON.stringify(link), PLACE)
}

/** Stored so that an address has one badge a quarter. base64url */
export const badgeAddressHash = (
  secrets: LinkContext['secrets'],
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

/** Undefined for an expired or foreign link. */
export function openBadgeLink({ secrets, now }: LinkContext, token: string): BadgeLink | undefined {
  const link = Link.safeParse(openToken(secrets, token, PLACE)).data
  return link && isStillValid(link.end, LASTS_MINUTES, now()) ? link : undefined
}

export const linkHash = ({ secrets }: Pick<ServerContext, 'secrets'>, { id }: BadgeLink) =>
  Buffer.from(secrets.hash('badge link', id), 'base64url')

export const BADGE_LINK_JOB = 'badge-link'

/** Sealed as a whole, and deleted once the mail is sent. */
export interface BadgeLinkWanted {
  sealed: string
}

interface Wanted {
  to: string
  company: string
  token: string
}

export function enqueueBadgeLink(
  { db, jobs, secrets }: Pick<ServerContext, 'db' | 'jobs' | 'secrets'>,
  wanted: Wanted,
) {
  const payload: BadgeLinkWanted = { sealed: secrets.seal(JSON.stringify(wanted)) }
  return jobs.enqueue(db, BADGE_LINK_JOB, payload)
}

/** An employer may read the mail, so it names no account. */
export async function sendBadgeLink(
  { secrets }: Pick<ServerContext, 'secrets'>,
  post: Post,
  { siteName, siteUrl }: { siteName: string; siteUrl: () => string },
  { sealed }: BadgeLinkWanted,
) {
  const { to, company, token } = JSON.parse(secrets.open(sealed)) as Wanted
  if (!(await post.hasRoomFor(to))) return
  await post.send({
    to,
    ...mailOf({
      siteName,
      siteUrl: siteUrl(),
      subject: 'Confirm this address',
      heading: `Do you work at ${company}?`,
      paragraphs: [
        `Someone on ${siteName} gave this address to show that they work at ${company}. If that was you, open the link in the browser where you’re logged in. You can also copy the link to another device.`,
        `The link works for ${BADGE_LINK_HOURS} hours, for one account. We don’t keep this address. You can delete this email afterwards.`,
      ],
      action: {
        label: 'Confirm this address',
        // In the fragment, so that it gets into no server's log.
        href: `${siteUrl()}${BADGE_PATH}#${encodeURIComponent(token)}`,
      },
      note: 'If this wasn’t you, you don’t need to do anything. Without the link, nothing happens.',
    }),
  })
}
