/** Emails about a claim: the link goes to the work address, decisions go to the account's address. */

import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { settingsPath } from '#app/kit/session/settings.tsx'
import { type SealedColumn, sealContext } from '#app/platform/database/sealed-columns.server.ts'
import type { DataContext, ServerContext } from '#app/platform/database/server-context.server.ts'
import { endIn, isStillValid } from '#app/platform/days.server.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { type MailSite, mailOf } from '#app/platform/mail/mail-layout.server.ts'
import type { MailSender } from '#app/platform/mail/mail-tasks.server.ts'
import type { Flags } from '#app/platform/operations/flags.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { CLAIM_LINK_HOURS, CLAIM_LINK_PATH, representAddress } from './claim.ts'

export const CLAIM_LINK_TASK: TaskKind<ClaimLinkWanted> = 'claim-link'
export const CLAIM_DECIDED_TASK: TaskKind<ClaimDecided> = 'claim-decided'

/** Contains no token, because we create the link when we write the email. */
export interface ClaimLinkWanted {
  claimId: string
}

/** Sealed, because it says who acts for whom. */
export interface ClaimDecided {
  sealed: string
}

interface Decided {
  decision: 'approved' | 'declined' | 'revoked' | 'removed' | 'offered' | 'handed-over'
  email: string
  company: string
  answer: string
}

export const enqueueClaimLink = ({ db, queue }: ServerContext, wanted: ClaimLinkWanted) =>
  queue.enqueue(db, CLAIM_LINK_TASK, wanted)

export function enqueueDecided({ db, queue, secrets }: ServerContext, decided: Decided) {
  const payload: ClaimDecided = { sealed: secrets.seal(JSON.stringify(decided)) }
  return queue.enqueue(db, CLAIM_DECIDED_TASK, payload)
}

/** Doesn't mention the account, not even the username, because others may read that mailbox. */
export async function sendClaimLink(
  { db, secrets, now }: Pick<ServerContext, 'db' | 'secrets' | 'now'>,
  mailer: MailSender,
  site: MailSite,
  { claimId }: ClaimLinkWanted,
) {
  const [claim] = await db.query<{ company: string; emailSealed: string }>(sql`
    select c.name as company, claim.work_email_sealed as "emailSealed"
      from employer_claims claim join companies c on c.id = claim.company_id
     where claim.id = ${claimId} and claim.work_email_sealed is not null`)
  if (!claim) return
  const to = secrets.open(claim.emailSealed, workEmailContext(claimId))
  if (!(await mailer.hasRoomFor(to))) return
  const token = await makeClaimLink({ db, now }, claimId)
  if (!token) return
  await mailer.send({
    to,
    ...mailOf(site, {
      subject: `Confirm that you represent ${claim.company}`,
      heading: `Do you represent ${claim.company}?`,
      paragraphs: [
        `Someone with an account on ${site.siteName} says they can act for ${claim.company} and gave this address as proof. If that was you, confirm it.`,
        `The link works once and expires in ${CLAIM_LINK_HOURS} hours.`,
      ],
      action: {
        label: 'Confirm my work email',
        href: `${site.siteUrl()}${CLAIM_LINK_PATH}?token=${encodeURIComponent(token)}`,
      },
      note: 'If this wasn’t you, please don’t confirm it. Without the link, nothing happens. We delete this address as soon as the claim is decided.',
    }),
  })
}

/** What an administrator or the owner of the company's seats decided. */
export async function sendClaimDecided(
  { secrets }: Pick<ServerContext, 'secrets'>,
  mailer: Pick<Mailer, 'send'>,
  site: MailSite & { flags: Pick<Flags, 'enableSettings'> },
  { sealed }: ClaimDecided,
) {
  const { decision, email, company, answer } = JSON.parse(secrets.open(sealed)) as Decided
  const { subject, heading, paragraphs } = TEXTS[decision](company, site.siteName)
  await mailer.send({
    to: email,
    ...mailOf(site, {
      subject,
      heading,
      paragraphs: answer ? [...paragraphs, answer] : paragraphs,
      action: {
        label: 'Open my settings',
        href: site.siteUrl() + representAddress(settingsPath(site.flags)),
      },
    }),
  })
}

type Texts = (
  company: string,
  siteName: string,
) => { subject: string; heading: string; paragraphs: string[] }

const TEXTS: Record<Decided['decision'], Texts> = {
  approved: (company, siteName) => ({
    subject: `You now act for ${company} on ${siteName}`,
    heading: `You now act for ${company}`,
    paragraphs: [
      `An administrator approved your claim. You can now reply as ${company}.`,
      'This account can no longer post, vote or rate as a person. You can stop acting for the company in your settings at any time.',
      'At most once a day, we’ll email you the number of new threads and notes about it. You can turn this off with one click, in the email or in your settings.',
    ],
  }),
  declined: (company) => ({
    subject: `Your claim on ${company} was declined`,
    heading: 'Your claim was declined',
    paragraphs: [
      `An administrator declined your claim to act for ${company}. You can claim it again in your settings.`,
    ],
  }),
  revoked: (company) => ({
    subject: `You no longer act for ${company}`,
    heading: `You no longer act for ${company}`,
    paragraphs: [
      'An administrator revoked your right to act for the company. What you wrote for it stays.',
    ],
  }),
  removed: (company) => ({
    subject: `You no longer act for ${company}`,
    heading: `You no longer act for ${company}`,
    paragraphs: [
      'The owner of the company’s seats removed you. What you wrote for the company stays.',
    ],
  }),
  offered: (company) => ({
    subject: `Do you want to take over ${company}’s seats?`,
    heading: `You’ve been offered ownership of ${company}’s seats`,
    paragraphs: [
      'The owner of a company’s seats decides who else acts for it. Accept or decline in your settings.',
    ],
  }),
  'handed-over': (company) => ({
    subject: `You handed over ${company}’s seats`,
    heading: 'Ownership handed over',
    paragraphs: [
      `A colleague now manages ${company}’s seats. You still act for the company. You can stop in your settings.`,
    ],
  }),
}

/** A pending claim's work address: sealed, and bound to its row. */
export const WORK_EMAIL: SealedColumn = {
  table: 'employer_claims',
  column: 'work_email_sealed',
  key: 'id',
  type: 'uuid',
}

/** @param id the claim's */
export const workEmailContext = (id: string) => sealContext(WORK_EMAIL, id)

const LASTS_MINUTES = CLAIM_LINK_HOURS * 60
const TOKEN_BYTES = 32

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Emails may arrive late or out of order, so earlier links work, too. */
const FORMER_LINKS = 2

/**
 * Undefined unless the claim is pending and unverified. Its last three links work, and using one ends
 * all of them.
 */
export async function makeClaimLink({ db, now }: DataContext, claimId: string) {
  const end = endIn(LASTS_MINUTES, now())
  const token = `${randomBytes(TOKEN_BYTES).toString('base64url')}.${end}`
  const [kept] = await db.query(sql`
    update employer_claims
       set link_hash = ${hashOf(token)},
           former_link_hashes =
             (array_remove(array[link_hash], null) || former_link_hashes)[1:${FORMER_LINKS}::integer]
     where id = ${claimId} and status = 'pending' and method = 'mail' and not is_verified
    returning id`)
  return kept ? token : undefined
}

/** Checks only the format and expiry. The hash says whose link it is. */
function isInTime({ now }: Pick<DataContext, 'now'>, token: string) {
  const [, end] = /^[\w-]{43}\.(\d{1,12})$/.exec(token) ?? []
  return isStillValid(Number(end), LASTS_MINUTES, now())
}

const isOpen = (token: string) => sql`
  ${hashOf(token)} in (link_hash, former_link_hashes[1], former_link_hashes[2])
  and status = 'pending' and not is_verified`

/** The company of a working link. Changes nothing, because mail scanners open links, too. */
export async function companyOfLink(ctx: DataContext, token: string): Promise<string | undefined> {
  if (!isInTime(ctx, token)) return undefined
  const [claim] = await ctx.db.query<{ company: string }>(sql`
    select c.name as company from employer_claims claim
      join companies c on c.id = claim.company_id where ${isOpen(token)}`)
  return claim?.company
}

/** Uses the link up. @returns whether it worked */
export async function spendClaimLink(ctx: DataContext, token: string): Promise<boolean> {
  if (!isInTime(ctx, token)) return false
  const shown = await ctx.db.query(sql`
    update employer_claims set is_verified = true, link_hash = null, former_link_hashes = '{}'
     where ${isOpen(token)} returning id`)
  return shown.length > 0
}
