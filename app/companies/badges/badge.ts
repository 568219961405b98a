/** "Works at Acme" next to a rating or post, proven by an email to a work address. No I/O here. */
import { THRESHOLDS } from '#app/platform/operations/live-settings.ts'

/** A domain's badges are shown once this many people have one in a quarter. Administrators can only raise it. */
export const BADGE_HOLDERS_MIN = THRESHOLDS.badgeHoldersMin
/** A domain's companies get a room once this many people have a badge. Administrators can only raise it. */
export const ROOM_HOLDERS_MIN = THRESHOLDS.roomHoldersMin
/** Verified raters get a score of their own once this many have a badge. */
export const VERIFIED_MIN = 10
export const BADGE_CODE_MINUTES = 60

/** The page where you request one and enter the emailed code. */
export const BADGE_PATH = '/settings/badge'
/** The same page with the company already chosen. */
export const badgePath = (companyId: string) => `${BADGE_PATH}?company=${companyId}`

export const WHAT_IT_SHOWS =
  'A badge shows “Works at …” next to the ratings and posts you choose, and never who you are.'
export const badgeShows = (holders = BADGE_HOLDERS_MIN) =>
  `Once ${holders} people at your company have a badge from the same quarter, others see yours from the next night on`
export const roomOpens = (holders = ROOM_HOLDERS_MIN) =>
  `The room opens the night after ${holders} colleagues have a badge from the same quarter`

/** The longest domain's length in bytes. */
export const DOMAIN_MAX = 253

export const BADGE_REFUSALS = {
  employer: 'Accounts that act for a company can’t have a badge',
  noWebsite:
    'We don’t know this company’s website, so we can’t check that you work there. Suggest it on the company’s page first.',
  noDomain: 'This company’s website has no domain of its own, so you can’t get a badge for it',
  freeMail: (domain: string) =>
    `Anyone can have an address at ${domain}. Use one at the company’s own domain.`,
  otherDomain: (domain: string) => `Your work email must be at ${domain}`,
  over: 'This code has expired. Send another one.',
  wrongCode: 'That’s not the code we sent. Check it and try again.',
  tries: 'That was one wrong code too many. Send another one.',
  otherAccount: 'This code is for another account. Log in to the one that requested it.',
  used: 'This address already has a badge for this quarter. You can get another one next quarter.',
  noSecret: 'Your browser doesn’t have your account’s secret yet. Reload the page and try again.',
  otherSecret: 'Your account’s secret is on another device. Bring it over to this one first.',
  companyChanged: 'This company’s website has changed, so this badge no longer belongs to it',
  invalidProof:
    'Your badge couldn’t be verified or has expired. Get a new one, or send this without it.',
} as const

/** What the proof of a post's badge is bound to. Browser and server must produce the same bytes. */
export interface BadgedPost {
  /** The form's idempotency key: each proof is valid for one post. */
  idempotencyKey: string
  /** Empty for a comment. */
  title: string
  body: string
}

/** Covers the text, so a changed letter needs another proof. */
export const postMessageOf = (companyId: string, { title, body }: BadgedPost) =>
  new TextEncoder().encode(JSON.stringify([companyId, title, body]))
