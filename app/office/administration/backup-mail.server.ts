/** Administrators hear once when the last backup gets old, and not again until there was a new one. */
import sql from 'sql-template-tag'
import { addressOf } from '#app/api/auth/addresses.server.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { mailOf } from '#app/platform/mail/mail-layout.server.ts'
import { lastBackup, shouldMailOldBackup } from '#app/platform/operations/owner-steps.server.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { type Recipient, recipients, type StaffMailSettings } from './waiting.server.ts'

export const BACKUP_MAIL_TASK: TaskKind<{ sealedEmail: string }> = 'backup-mail'

const administrators = async (
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  settings: StaffMailSettings,
) => {
  const people = await db.query<Recipient>(recipients(settings, sql`role.is_admin`))
  return mapRows('backup mails', people, (person) => addressOf(secrets, person))
}

export async function queueBackupMails(base: ServerContext, settings: StaffMailSettings) {
  await base.db.transaction(async (db) => {
    if (!(await shouldMailOldBackup({ ...base, db }))) return
    for (const address of await administrators({ ...base, db }, settings))
      await base.queue.enqueue(db, BACKUP_MAIL_TASK, { sealedEmail: base.secrets.seal(address) })
  })
}

/** Sends one email, unless there's a new backup or the person isn't an administrator anymore. */
export async function sendBackupMail(
  base: Pick<ServerContext, 'db' | 'secrets' | 'now'>,
  mailer: Pick<Mailer, 'send'>,
  settings: StaffMailSettings,
  { sealedEmail }: { sealedEmail: string },
) {
  const to = base.secrets.open(sealedEmail)
  const backup = await lastBackup(base)
  if (!backup?.isOld || !(await administrators(base, settings)).includes(to)) return
  const { siteName } = settings
  const siteUrl = settings.siteUrl()
  const mail = mailOf(settings, {
    subject: `${siteName} has no recent backup`,
    heading: 'The last backup is more than a day old',
    paragraphs: [
      `It’s from ${backup.finishedAt.slice(0, 16).replace('T', ', ')} UTC.`,
      'On the server, journalctl -u kettle-backup says why there’s none since, and npm run backup makes one.',
    ],
    action: { label: 'Open the Admin Panel', href: `${siteUrl}/admin-panel` },
    note: `You get this email because you’re an administrator of ${siteName}. There won’t be another until a new backup gets old.`,
  })
  await mailer.send({ to, ...mail })
}
