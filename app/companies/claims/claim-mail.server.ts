/** The mails about a claim: the link to the work address, and what was decided, to the account's. */
import sql from 'sql-template-tag'
import { settingsPath } from '#app/kit/session/settings-path.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { placeIn, type SealedColumn } from '#app/platform/database/sealed-columns.server.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { mailOf } from '#app/platform/mail/mail-layout.server.ts'
import type { Post } from '#app/platform/mail/mail-post.server.ts'
import type { Flags } from '#app/platform/operations/config.server.ts'
import { CLAIM_LINK_HOURS, CLAIM_LINK_PATH } from './claim.ts'
import { makeClaimLink } from './claim-link.server.ts'
import { representAddress } from './claim-texts.ts'

/** The job that writes to a work address. */
export const CLAIM_LINK = 'claim-link'
/** The job that tells an account what was decided. */
export const CLAIM_DECIDED = 'claim-decided'

/** What lies in the queue opens nothing: the link is made while its mail is written. */
export interface ClaimLinkWanted {
  claimId: string
}

/** Sealed: it tells who acts for whom. */
export interface ClaimDecided {
  sealed: string
}

interface Decided {
  decision: 'approved' | 'declined' | 'revoked' | 'removed' | 'offered' | 'handed-over'
  email: string
  company: string
  answer: string
}

export const enqueueClaimLink = ({ db, jobs }: ServerContext, wanted: ClaimLinkWanted) =>
  jobs.enqueue(db, CLAIM_LINK, wanted)

export function enqueueDecided({ db, jobs, secrets }: ServerContext, decided: Decided) {
  const payload: ClaimDecided = { sealed: secrets.seal(JSON.stringify(decided)) }
  return jobs.enqueue(db, CLAIM_DECIDED, payload)
}

interface Site {
  siteName: string
  siteUrl: () => string
}

/**
 * Writes to the work address, if the claim still waits for that. Of the account it says nothing, not
 * even the username: whoever else reads that mailbox shall not learn what somebody is called here.
 */
export async function sendClaimLink(
  { db, secrets, now }: Pick<ServerContext, 'db' | 'secrets' | 'now'>,
  post: Post,
  { siteName, siteUrl }: Site,
  { claimId }: ClaimLinkWanted,
) {
  const [claim] = await db.query<{ company: string; emailSealed: string }>(sql`
    select c.name as company, claim.work_email_sealed as "emailSealed"
      from employer_claims claim join companies c on c.id = claim.company_id
     where claim.id = ${claimId} and claim.work_email_sealed is not null`)
  if (!claim) return
  const to = secrets.open(claim.emailSealed, workEmailPlace(claimId))
  if (!(await post.hasRoomFor(to))) return
  const token = await makeClaimLink({ db, now }, claimId)
  if (!token) return
  await post.send({
    to,
    ...mailOf({
      siteName,
      siteUrl: siteUrl(),
      subject: `Confirm that you represent ${claim.company}`,
      heading: `Do you represent ${claim.company}?`,
      paragraphs: [
        `Somebody with an account at ${siteName} says that they may act for ${claim.company}, and gave this address to show it. If it was you, confirm it.`,
        `The link works once, for ${CLAIM_LINK_HOURS} hours.`,
      ],
      action: {
        label: 'Confirm my work email',
        href: `${siteUrl()}${CLAIM_LINK_PATH}?token=${encodeURIComponent(token)}`,
      },
      note: 'If this was not you, please do not confirm it: without the link nothing happens. This address is forgotten as soon as the claim is decided.',
    }),
  })
}

/** Tells the account what an administrator, or the owner of the company's seats, has decided. */
export async function sendClaimDecided(
  { secrets }: Pick<ServerContext, 'secrets'>,
  mailer: Pick<Mailer, 'send'>,
  { siteName, siteUrl, flags }: Site & { flags: Pick<Flags, 'enableSettings'> },
  { sealed }: ClaimDecided,
) {
  const { decision, email, company, answer } = JSON.parse(secrets.open(sealed)) as Decided
  const { subject, heading, paragraphs } = WORDS[decision](company, siteName)
  await mailer.send({
    to: email,
    ...mailOf({
      siteName,
      siteUrl: siteUrl(),
      subject,
      heading,
      paragraphs: answer ? [...paragraphs, answer] : paragraphs,
      action: {
        label: 'Open my settings',
        href: siteUrl() + representAddress(settingsPath(flags)),
      },
    }),
  })
}

type Words = (
  company: string,
  siteName: string,
) => { subject: string; heading: string; paragraphs: string[] }

const WORDS: Record<Decided['decision'], Words> = {
  approved: (company, siteName) => ({
    subject: `You act for ${company} at ${siteName}`,
    heading: `You act for ${company}`,
    paragraphs: [
      `An administrator has approved your claim: from now on you can reply as ${company}.`,
      'With this account you do not post, vote or rate as a person any more. You can stop acting for the company in your settings, at any time.',
      'Once a day at most a mail tells you how many threads and notes about it are new. It ends by one press, in the mail or in your settings.',
    ],
  }),
  declined: (company) => ({
    subject: `Your claim on ${company} was declined`,
    heading: 'Your claim was declined',
    paragraphs: [
      `An administrator has declined your claim to act for ${company}. You can claim it again in your settings.`,
    ],
  }),
  revoked: (company) => ({
    subject: `You no longer act for ${company}`,
    heading: `You no longer act for ${company}`,
    paragraphs: [
      'An administrator has taken this right back. What you wrote for the company stays.',
    ],
  }),
  removed: (company) => ({
    subject: `You no longer act for ${company}`,
    heading: `You no longer act for ${company}`,
    paragraphs: ['The owner of its seats has removed yours. What you wrote for the company stays.'],
  }),
  offered: (company) => ({
    subject: `Do you take over the seats of ${company}?`,
    heading: `The ownership of ${company} is offered to you`,
    paragraphs: [
      'Who owns the seats of a company decides who else acts for it. Accept or decline in your settings.',
    ],
  }),
  'handed-over': (company) => ({
    subject: `You handed over the seats of ${company}`,
    heading: 'The ownership is handed over',
    paragraphs: [
      `A colleague owns the seats of ${company} now. You act for it as before, and can leave it in your settings.`,
    ],
  }),
}

/** A work address, while its claim waits: sealed, and opened in its own row only. */
export const WORK_EMAIL: SealedColumn = {
  table: 'employer_claims',
  column: 'work_email_sealed',
  key: 'id',
  type: 'uuid',
}

/** @param id of the claim */
export const workEmailPlace = (id: string) => placeIn(WORK_EMAIL, id)
