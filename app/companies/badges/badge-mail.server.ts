/** The mail to a work address. It lies in a mailbox that an employer can read: it names no account. */
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { mailOf } from '#app/platform/mail/mail-layout.server.ts'
import type { Post } from '#app/platform/mail/mail-post.server.ts'
import { BADGE_LINK_HOURS, BADGE_PATH } from './badge.ts'

/** The job that writes it. */
export const BADGE_LINK = 'badge-link'

/** Sealed, all of it, and gone when the mail is sent. */
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
  return jobs.enqueue(db, BADGE_LINK, payload)
}

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
        `Somebody gave this address at ${siteName} to show that they work at ${company}. If it was you, open the link in the browser in which you are signed in there; you can copy it and open it on another device.`,
        `It works for ${BADGE_LINK_HOURS} hours, for one account. We do not keep this address. You may delete this mail afterwards.`,
      ],
      action: {
        label: 'Confirm this address',
        // After the #, so that no log of a server has it.
        href: `${siteUrl()}${BADGE_PATH}#${encodeURIComponent(token)}`,
      },
      note: 'If this was not you, you need not do anything: without the link nothing happens.',
    }),
  })
}
