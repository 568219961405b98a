/**
 * The link in the mail to a work address. It carries all that is known of the asking, sealed, so that no table
 * says that anybody asked. When it ends stands in it, to the minute.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { plainAddress } from '#app/api/auth/addresses.server.ts'
import { quarterOf } from '#app/api/credential/quarter.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { isBound } from '#app/platform/database/secrets.server.ts'
import { todayOf } from '#app/platform/jobs/days.server.ts'
import { BADGE_LINK_HOURS } from './badge.ts'

/** What is sealed for another use opens as no link, nor the other way round. */
const PLACE = 'badge link'
const ID_BYTES = 16
const MINUTE_MS = 60_000

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
    end: Math.ceil(ctx.now().getTime() / MINUTE_MS) + BADGE_LINK_HOURS * 60,
  }
  return ctx.secrets.seal(JSON.stringify(link), PLACE)
}

/** What is kept so that an address has one badge in a quarter. In base64url. */
export const badgeAddressHash = (
  secrets: LinkContext['secrets'],
  quarter: string,
  mailbox: { email: string; domain: string },
) => secrets.hash('badge address', quarter, oneMailbox(mailbox))

/**
 * `dana+kettle@acme.example` is the mailbox of `dana@acme.example`, and so is `dana@hr.acme.example`: many companies
 * deliver all their domains to one. Two namesakes share a badge; of one person with two no crowd would be true.
 */
function oneMailbox({ email, domain }: { email: string; domain: string }) {
  const address = plainAddress(email)
  const local = address.slice(0, address.lastIndexOf('@'))
  const [name = ''] = local.split('+')
  return `${name || local}@${domain}`
}

/** Nothing for what is over, and for what is no link of ours. */
export function openBadgeLink({ secrets, now }: LinkContext, token: string): BadgeLink | undefined {
  const link = parsed(secrets, token)
  const left = (link?.end ?? 0) * MINUTE_MS - now().getTime()
  // One that ends later than any can was made by a clock that was ahead.
  return left > 0 && left <= (BADGE_LINK_HOURS * 60 + 1) * MINUTE_MS ? link : undefined
}

function parsed(secrets: LinkContext['secrets'], token: string) {
  try {
    // What is not bound to a place would open without one.
    if (!isBound(token)) return
    return Link.parse(JSON.parse(secrets.open(token, PLACE)))
  } catch {
    return
  }
}

export const linkHash = ({ secrets }: Pick<ServerContext, 'secrets'>, { id }: BadgeLink) =>
  Buffer.from(secrets.hash('badge link', id), 'base64url')
