/** The mail to a work address. An employer may read it, so it names no account. */
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { Post } from '#app/platform/mail/mail-jobs.server.ts'
import { mailOf } from '#app/platform/mail/mail-layout.server.ts'
import { BADGE_LINK_HOURS, BADGE_PATH } from './badge.ts'

export const BADGE_LINK = 'badge-link'

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
        `Someone at ${siteName} gave this address to show that they work at ${company}. If that was you, open the link in the browser where you’re logged in. You can also copy it to another device.`,
        `It works for ${BADGE_LINK_HOURS} hours, for one account. We don’t keep this address. You can delete this email afterwards.`,
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
