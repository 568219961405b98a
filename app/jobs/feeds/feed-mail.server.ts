/** The email to the person who gave a feed that we've paused. The task names no one. */
import sql from 'sql-template-tag'
import { addressOf } from '#app/api/auth/addresses.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { type MailSite, mailOf } from '#app/platform/mail/mail-layout.server.ts'
import type { MailSender } from '#app/platform/mail/mail-tasks.server.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { mayPost } from './feed-rules.server.ts'
import { companyFeedsPath, type Pause, pauseText, SITE_FEEDS_PATH } from './job-feed.ts'

export const FEED_PAUSED_TASK: TaskKind<{ feedId: string }> = 'job-feed-paused'

/** Only to people who can still resume it. */
export async function sendFeedPaused(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  mailer: MailSender,
  site: MailSite,
  { feedId }: { feedId: string },
) {
  const [feed] = await db.query<{
    companyId: string | null
    address: string
    paused: Pause
    note: string | null
    accountId: string
    emailSealed: string
  }>(sql`
    select feed.company_id as "companyId", address, paused, account.id as "accountId",
           account.email_sealed as "emailSealed",
           (select note from job_feed_runs where feed_id = feed.id order by number desc limit 1) as note
      from job_feeds feed join accounts account on account.id = feed.account_id
     where feed.id = ${feedId} and paused is not null and ${mayPost}`)
  if (!feed) return
  const to = addressOf(secrets, { id: feed.accountId, emailSealed: feed.emailSealed })
  const path = feed.companyId === null ? SITE_FEEDS_PATH : companyFeedsPath(feed.companyId)
  await mailer.send({
    to,
    ...mailOf(site, {
      subject: 'Your job feed is paused',
      heading: 'Your job feed is paused',
      paragraphs: [
        feed.address,
        pauseText(feed.paused, feed.note),
        'Its jobs stay open for now, but nothing updates them. Once the feed works again, resume it.',
      ],
      action: { label: 'See the feed', href: site.siteUrl() + path },
    }),
  })
}
