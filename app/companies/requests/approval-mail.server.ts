/** The mail to a requester who wanted to hear of their company. S15. */
import sql from 'sql-template-tag'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { mailOf } from '#app/platform/mail/mail-layout.server.ts'
import { companyPath } from '../company.ts'

export const REQUEST_APPROVED = 'company-request-approved'

/** The job's payload. */
export interface RequestApproved {
  companyId: string
  sealedEmail: string
}

/** Not for a company deleted meanwhile. */
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
      heading: 'The company you asked for is here',
      paragraphs: [
        `You asked us to add ${company.name}. Now people can find it, rate it and talk about it.`,
      ],
      action: { label: `See ${company.name}`, href: siteUrl() + companyPath(company) },
      note: 'You get this email because someone made a request with this address. We won’t send another.',
    }),
  })
}
