/** The mail to whom an owner invites. What lies in the queue names nobody: the address is in its row. */
import sql from 'sql-template-tag'
import type { SignedIn } from '#app/api/auth/actor.ts'
import { addressOf, plainAddress } from '#app/api/auth/addresses.server.ts'
import { settingsPath } from '#app/kit/session/settings-path.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { placeIn, type SealedColumn } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { mailOf } from '#app/platform/mail/mail-layout.server.ts'
import type { Post } from '#app/platform/mail/mail-post.server.ts'
import type { Flags } from '#app/platform/operations/config.server.ts'
import { representAddress } from '../claim-texts.ts'
import { INVITATION_DAYS } from './seat.ts'

/** The job that writes to an invited address. */
export const SEAT_INVITATION = 'seat-invitation'
export interface InvitationWanted {
  invitationId: string
}

export const enqueueInvitation = (
  { db, jobs }: Pick<ServerContext, 'db' | 'jobs'>,
  wanted: InvitationWanted,
) => jobs.enqueue(db, SEAT_INVITATION, wanted)

/** Whether the address has an account it does not say, nor who invites. One that was taken back is not sent. */
export async function sendInvitation(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  post: Post,
  {
    siteName,
    siteUrl,
    flags,
  }: { siteName: string; siteUrl: () => string; flags: Pick<Flags, 'enableSettings'> },
  { invitationId }: InvitationWanted,
) {
  const [invitation] = await db.query<{ company: string; emailSealed: string }>(sql`
    select c.name as company, invitation.email_sealed as "emailSealed"
      from seat_invitations invitation join companies c on c.id = invitation.company_id
     where invitation.id = ${invitationId}`)
  if (!invitation) return
  const to = secrets.open(invitation.emailSealed, invitedPlace(invitationId))
  if (!(await post.hasRoomFor(to))) return
  const { company } = invitation
  await post.send({
    to,
    ...mailOf({
      siteName,
      siteUrl: siteUrl(),
      subject: `Act for ${company} at ${siteName}`,
      heading: `You are invited to act for ${company}`,
      paragraphs: [
        `Whoever speaks for ${company} at ${siteName} invites you to reply in its name, see its dashboard and look after its jobs.`,
        'Sign in with an account that has this address, or sign up with it, and accept in your settings. With that account you do not post, vote or rate as a person any more.',
        `The invitation ends after ${INVITATION_DAYS} days.`,
      ],
      action: {
        label: 'Open my settings',
        href: siteUrl() + representAddress(settingsPath(flags)),
      },
      note: 'If you do not know what this is about, you need not do anything.',
    }),
  })
}

/** The address that an invitation goes to: sealed in its row, and found by a hash of its own kind. */
export const INVITED_EMAIL: SealedColumn = {
  table: 'seat_invitations',
  column: 'email_sealed',
  key: 'id',
  type: 'uuid',
}

/** @param id of the invitation */
export const invitedPlace = (id: string) => placeIn(INVITED_EMAIL, id)

/** Without the site's key nobody finds the account that it is about: the accounts' hash is another one. */
export const invitedHash = (secrets: Secrets, email: string) =>
  secrets.hash('seat invitation', plainAddress(email))

/** What an invitation of this account has. An address that nobody confirmed could be anybody's. */
export const ownInvitedHash = (secrets: Secrets, account: SignedIn) =>
  account.isEmailConfirmed ? invitedHash(secrets, addressOf(secrets, account)) : null
