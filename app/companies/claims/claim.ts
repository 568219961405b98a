/** Somebody's word that they may act for a company. Runs in the browser too: no I/O here. */

import { mailboxProblem } from '#app/identity/accounts/sign-in/credential.ts'
import { cleanText, firstLetter } from '#app/kit/writing/text.ts'

export const CLAIM_NOTE_MAX = 1_000
/** What an administrator tells whoever was declined. */
export const CLAIM_ANSWER_MAX = 1_000
/** Claims of one person that wait for a decision. */
export const OPEN_CLAIMS_MAX = 5
export const CLAIM_LINK_HOURS = 24
/** Nobody has shown anything for so long: the claim ends, and the address with it. */
export const UNVERIFIED_DAYS = 30

export const CLAIM_STATUSES = ['pending', 'approved', 'declined', 'withdrawn', 'revoked'] as const
export type ClaimStatus = (typeof CLAIM_STATUSES)[number]

/** How somebody shows that they belong to the company: by a mail there, or by a DNS record. */
export const CLAIM_METHODS = ['mail', 'dns'] as const
export type ClaimMethod = (typeof CLAIM_METHODS)[number]

/** What administrators look through. */
export const CLAIM_LISTS = ['waiting', 'unverified', 'approved', 'closed'] as const
export type ClaimList = (typeof CLAIM_LISTS)[number]

export const CLAIM_STATUS_NAMES: Record<ClaimStatus, string> = {
  pending: 'Waiting',
  approved: 'Approved',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  revoked: 'Revoked',
}

/** The value of the TXT record, whose name is the domain itself. */
export const dnsRecord = (token: string) => `kettle-verification=${token}`

/** Where the link of a mail leads. */
export const CLAIM_LINK_PATH = '/claims/confirm'

/** What can become of a look at the DNS. */
export const CHECK_OUTCOMES = ['verified', 'missing', 'no-answer'] as const
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number]

/** What a form holds, and what is sent. */
export interface ClaimForm {
  method: ClaimMethod
  /** Only where a mail shall show it. */
  workEmail: string
  note: string
}

/** Sentences that say no. */
export const CLAIM_REFUSALS = {
  unconfirmed: 'Please confirm the e-mail of your account first',
  noWebsite:
    'This company has no website here, so nobody can show that they belong to it. Suggest its website on the company’s page first.',
  noDomain: 'The website of this company has no domain of its own. Please write to us instead.',
  freeMail: (domain: string) =>
    `Anybody can have an address at ${domain}. Use one at the company’s own domain, or a DNS record.`,
  otherDomain: (domain: string) => `Your work e-mail must be at ${domain}`,
  approved: 'You act for this company already',
  pending: 'Your claim on this company is waiting already',
  tooMany: `You have ${OPEN_CLAIMS_MAX} open claims. Withdraw one, or wait until one is decided.`,
  gone: 'This claim is not there any more',
  decided: 'This claim was decided in the meantime',
  verified: 'This claim is verified already',
  notByMail: 'This claim is not verified by a mail',
  notByDns: 'This claim is not verified by a DNS record',
  unverified: 'Nobody has shown yet that they belong to this company, so it cannot be approved',
  websiteChanged:
    'The website of this company has changed since. Decline, so that the person can claim anew.',
  suspended: 'This account is suspended. Lift that first.',
  own: 'Somebody else must decide on your own claim',
  notApproved: 'This claim is not approved',
  over: 'This claim has ended already',
  notAdmin: 'Only an administrator can do this',
} as const

/** As it is kept. */
export const tidyNote = (text: string) => cleanText(text).trim()

/** @param text as `tidyNote` answers it */
export const noteProblem = (text: string, max = CLAIM_NOTE_MAX) =>
  text.length > max ? `A note has at most ${max.toLocaleString('en')} characters` : undefined

/** What is wrong with a work address but for its domain, which the server compares. */
export const workEmailProblem = (email: string) =>
  email.trim() === '' ? 'Please enter your work email' : mailboxProblem(email)

/** What is wrong, by field. */
export function claimProblems({ method, workEmail, note }: ClaimForm) {
  return {
    workEmail: method === 'mail' ? workEmailProblem(workEmail) : undefined,
    note: noteProblem(tidyNote(note)),
  }
}

/** Of an address its first letter and where its mail goes, as user management shows one. */
export function maskedAddress(email: string): string {
  const [name = '', domain = ''] = email.split('@')
  return `${firstLetter(name)}…@${domain}`
}

/** What an administrator can do to a claim. */
export const CLAIM_DECISIONS = ['approve', 'decline', 'revoke'] as const
export type ClaimDecision = (typeof CLAIM_DECISIONS)[number]
