/** A claim: someone says they may act for a company. Runs in the browser too: no I/O here. */

import { mailboxProblem } from '#app/identity/accounts/sign-in/email-and-password.ts'
import { firstLetter, noteProblem } from '#app/kit/writing/text.ts'

export const CLAIM_NOTE_MAX = 1_000
/** The longest note to someone whose claim is declined. */
export const CLAIM_ANSWER_MAX = 1_000
/** How many pending claims a person can have. */
export const OPEN_CLAIMS_MAX = 5
export const CLAIM_LINK_HOURS = 24
/** Days after which an unverified claim ends and its address is deleted. */
export const UNVERIFIED_DAYS = 30

export const CLAIM_STATUSES = ['pending', 'approved', 'declined', 'withdrawn', 'revoked'] as const
export type ClaimStatus = (typeof CLAIM_STATUSES)[number]

/** How someone proves they belong to the company: an email to an address there, or a DNS record. */
export const CLAIM_METHODS = ['mail', 'dns'] as const
export type ClaimMethod = (typeof CLAIM_METHODS)[number]

export const CLAIM_LISTS = ['waiting', 'unverified', 'approved', 'closed'] as const
export type ClaimList = (typeof CLAIM_LISTS)[number]

export const CLAIM_LIST_NAMES: Record<ClaimList, string> = {
  waiting: 'To review',
  unverified: 'Not verified yet',
  approved: 'Approved',
  closed: 'Closed',
}

export const CLAIM_STATUS_NAMES: Record<ClaimStatus, string> = {
  pending: 'Waiting',
  approved: 'Approved',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  revoked: 'Revoked',
}

/** Value of the TXT record; its name is the domain itself. */
export const dnsRecord = (token: string) => `kettle-verification=${token}`

export const CLAIM_LINK_PATH = '/claims/confirm'

/** Results of a DNS check. */
export const CHECK_OUTCOMES = ['verified', 'missing', 'no-answer'] as const
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number]

export interface ClaimForm {
  method: ClaimMethod
  /** Only needed for verifying by email. */
  workEmail: string
  note: string
}

export const CLAIM_REFUSALS = {
  unconfirmed: 'Please confirm your account’s email first',
  noWebsite:
    'We don’t know this company’s website, so we can’t check that you work there. Suggest it on the company’s page first.',
  noDomain: 'This company’s website has no domain of its own. Please write to us instead.',
  freeMail: (domain: string) =>
    `Anyone can have an address at ${domain}. Use one at the company’s own domain, or a DNS record.`,
  otherDomain: (domain: string) => `Your work email must be at ${domain}`,
  approved: 'You already act for this company',
  pending: 'Your claim on this company is already pending',
  tooMany: `You have ${OPEN_CLAIMS_MAX} open claims. Withdraw one, or wait for a decision.`,
  gone: 'This claim no longer exists',
  decided: 'Someone has already decided on this claim',
  verified: 'This claim is already verified',
  notByMail: 'This claim isn’t verified by email',
  notByDns: 'This claim isn’t verified by a DNS record',
  unverified:
    'This person hasn’t shown that they belong to the company yet, so you can’t approve the claim',
  websiteChanged:
    'This company’s website has changed since the claim. Decline it so the person can claim again.',
  suspended: 'This account is suspended. Lift the suspension first.',
  own: 'You can’t decide on your own claim',
  notApproved: 'This claim isn’t approved',
  over: 'This claim has already ended',
} as const

/** Checks everything but the domain, which the server compares. */
export const workEmailProblem = (email: string) =>
  email.trim() === '' ? 'Please enter your work email' : mailboxProblem(email)

/** The problem of each field. */
export function claimProblems({ method, workEmail, note }: ClaimForm) {
  return {
    workEmail: method === 'mail' ? workEmailProblem(workEmail) : undefined,
    note: noteProblem(note, CLAIM_NOTE_MAX),
  }
}

/** First letter and domain, as in user management. */
export function maskedAddress(email: string): string {
  const [name = '', domain = ''] = email.split('@')
  return `${firstLetter(name)}…@${domain}`
}

export type ClaimDecision = 'approve' | 'decline' | 'revoke'

/** @param settings path of the settings @param company id, if known */
export const representAddress = (settings: string, company?: string) =>
  `${settings}${company ? `?${new URLSearchParams({ company })}` : ''}#represent`
