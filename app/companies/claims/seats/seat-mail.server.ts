/** The email to an invited address. The task names no one, because the address is in the invitation's row. */
import sql from 'sql-template-tag'
import type { SignedIn } from '#app/api/auth/actor.ts'
import { addressOf, plainAddress } from '#app/api/auth/addresses.server.ts'
import { settingsPath } from '#app/kit/session/settings.tsx'
import { type SealedColumn, sealContext } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { type MailSite, mailOf } from '#app/platform/mail/mail-layout.server.ts'
import type { MailSender } from '#app/platform/mail/mail-tasks.server.ts'
import type { Flags } from '#app/platform/operations/flags.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { representAddress } from '../claim.ts'
import { INVITATION_DAYS } from './seat.ts'

export const SEAT_INVITATION_TASK: TaskKind<InvitationWanted> = 'seat-invitation'
export interface InvitationWanted {
  invitationId: string
}

export const enqueueInvitation = (
  { db, queue }: Pick<ServerContext, 'db' | 'queue'>,
  wanted: InvitationWanted,
) => queue.enqueue(db, SEAT_INVITATION_TASK, wanted)

/**
 * Doesn't say whether the address has an account, or who invites. We don't send it if the
 * invitation is withdrawn.
 */
export async function sendInvitation(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  mailer: MailSender,
  site: MailSite & { flags: Pick<Flags, 'enableSettings'> },
  { invitationId }: InvitationWanted,
) {
  const [invitation] = await db.query<{ company: string; emailSealed: string }>(sql`
    select c.name as company, invitation.email_sealed as "emailSealed"
      from seat_invitations invitation join companies c on c.id = invitation.company_id
     where invitation.id = ${invitationId}`)
  if (!invitation) return
  const to = secrets.open(invitation.emailSealed, invitedContext(invitationId))
  if (!(await mailer.hasRoomFor(to))) return
  const { company } = invitation
  const { siteName } = site
  await mailer.send({
    to,
    ...mailOf(site, {
      subject: `Act for ${company} on ${siteName}`,
      heading: `You’re invited to act for ${company}`,
      paragraphs: [
        `${company}’s team on ${siteName} invites you to reply on its behalf, see its dashboard and manage its jobs.`,
        'Log in or sign up with this address, then accept in your settings. That account will no longer be able to post, vote or rate as a person.',
        `The invitation expires after ${INVITATION_DAYS} days.`,
      ],
      action: {
        label: 'Open my settings',
        href: site.siteUrl() + representAddress(settingsPath(site.flags)),
      },
      note: 'If you don’t know what this is about, you can ignore this email.',
    }),
  })
}

/** An invitation's address is sealed in its row, and found by a separate hash. */
export const INVITED_EMAIL: SealedColumn = {
  table: 'seat_invitations',
  column: 'email_sealed',
  key: 'id',
  type: 'uuid',
}

/** @param id the invitation's */
export const invitedContext = (id: string) => sealContext(INVITED_EMAIL, id)

/** Differs from the accounts' hash, so no one can match the two without the site's key. */
export const invitedHash = (secrets: Secrets, email: string) =>
  secrets.hash('seat invitation', plainAddress(email))

/** Null for an unconfirmed address, which could be anyone's. */
export const ownInvitedHash = (secrets: Secrets, account: SignedIn) =>
  account.isEmailConfirmed ? invitedHash(secrets, addressOf(secrets, account)) : null
