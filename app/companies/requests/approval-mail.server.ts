/** The mail to whoever asked for a company and wanted to hear of it: it is there. S15. */
import sql from 'sql-template-tag'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { mailOf } from '#app/platform/mail/mail-layout.server.ts'
import { companyPath } from '../company.ts'

export const REQUEST_APPROVED = 'company-request-approved'

/** What lies in the queue: the address is sealed there too. */
export interface RequestApproved {
  companyId: string
  sealedEmail: string
}

/** The job. A company that is gone meanwhile is no news. */
export async function sendApproval(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  mailer: Pick<Mailer, 'send'>,
  { siteName, siteUrl }: { siteName: string; siteUrl: () => string },
  { companyId, sealedEmail }: RequestApproved,
) {
  const [company] = await db.query<{ id: string; name: string; slug: string | null }>(
    sql`select id, name, slug from companies where id = ${companyId}`,
  )
  if (!company) return
  await mailer.send({
    to: secrets.open(sealedEmail),
    ...mailOf({
      siteName,
      siteUrl: siteUrl(),
      subject: `${company.name} is on ${siteName}`,
      heading: 'The company that you asked for is here',
      paragraphs: [
        `You asked us to add ${company.name}. Now people can find it, rate it and talk about it.`,
      ],
      action: { label: `See ${company.name}`, href: siteUrl() + companyPath(company) },
      note: 'This mail came because somebody asked for it with this address. No other mail follows.',
    }),
  })
}
