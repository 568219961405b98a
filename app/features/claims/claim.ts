/** Somebody's word that they may act for a company. Runs in the browser too: no I/O here. */
import { emailProblem } from '../accounts/credential.ts'
import { cleanText } from '../discussions/text.ts'

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
export const CLAIM_LIST_NAMES: Record<ClaimList, string> = {
  waiting: 'To decide',
  unverified: 'Not verified yet',
  approved: 'Approved',
  closed: 'Closed',
}
export const CLAIM_LIST_EMPTY: Record<ClaimList, { title: string; text: string }> = {
  waiting: { title: 'Nothing to decide', text: 'Verified claims wait here for an administrator.' },
  unverified: {
    title: 'Nobody is on the way',
    text: 'A claim stands here until its mail is confirmed or its DNS record is found.',
  },
  approved: {
    title: 'Nobody acts for a company yet',
    text: 'Whoever is approved stands here, and can be revoked.',
  },
  closed: {
    title: 'No closed claims',
    text: 'Declined, withdrawn and revoked claims stand here.',
  },
}

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

/** What neither a header nor a list of addresses could take for more than one. */
const ONE_ADDRESS = /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u

/** What is wrong with a work address but for its domain, which the server compares. */
export function workEmailProblem(email: string): string | undefined {
  const given = email.trim()
  if (given === '') return 'Please enter your work email'
  return (
    emailProblem(given) ??
    (ONE_ADDRESS.test(given) ? undefined : 'This does not look like an email address')
  )
}

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
  return `${[...name].slice(0, 1).join('')}…@${domain}`
}

/** The section of the settings. */
export const REPRESENT_TEXTS = {
  title: 'I represent a company',
  text: 'Reply as the company and see how it is talked about. Nobody else is shown that it is you.',
  /** What it costs, said before it is asked for. */
  warning:
    'An account that acts for a company reads and replies as the company. It does not post, vote or rate as a person any more. Use an account that you keep for work.',
  unconfirmed: 'We have to be sure of your account’s own email first. Confirm it under',
  start:
    'Show that you belong to a company, by work email or by a DNS record. We look at each claim.',
  add: 'Represent a company',
  addAnother: 'Represent another company',
  company: 'Company',
  companyHint: 'Which company do you represent?',
  noCompany: 'Please choose a company',
  method: 'How can you show that you belong to it?',
  mail: 'By work email',
  mailText: 'We send a link to your address at the company’s domain.',
  dns: 'By DNS record',
  dnsText: 'You add a TXT record to the domain of the company’s website.',
  workEmail: 'Work email',
  workEmailHint: 'Kept encrypted, only until we have decided. Others see at most its first letter.',
  note: 'Note for the administrators (optional)',
  noteHint: 'What you do at the company, for example.',
  send: 'Send claim',
  sending: 'Sending...',
  cancel: 'Cancel',
} as const

/** What a claim still needs, under its company. */
export const CLAIM_STEPS = {
  mail: (address: string) =>
    `We sent a link to ${address}. Open it and confirm, within ${CLAIM_LINK_HOURS} hours.`,
  dns: 'Add this TXT record to your domain, then let us look for it.',
  verified: 'Verified. An administrator looks at it now, and we write to your account’s email.',
  approved: 'You act for this company.',
  declined: 'Your claim was declined.',
  revoked: 'An administrator has taken this back.',
} as const

/** Toasts of the settings. */
export const CLAIM_TOASTS = {
  mailSent: { title: 'Check your work email', description: 'Open the link in it and confirm.' },
  dnsClaimed: {
    title: 'One step is left',
    description: 'Add the TXT record that is shown now.',
  },
  resent: { title: 'Sent again', description: 'Only the newest link works.' },
  verified: { title: 'Verified', description: 'An administrator looks at your claim now.' },
  missing: {
    title: 'Not found yet',
    description: 'New records can take an hour to be seen everywhere. Try again later.',
  },
  'no-answer': {
    title: 'No answer',
    description: 'The domain’s name servers did not answer. Try again later.',
  },
  withdrawn: { title: 'Claim withdrawn' },
  left: (company: string) => ({ title: `You no longer act for ${company}` }),
  copied: { title: 'Copied' },
  failed: 'Not done',
} as const

/** Asked before somebody leaves. */
export const LEAVE_WORDS = {
  title: (company: string) => `Stop acting for ${company}?`,
  text: 'Your rights end at once. Replies and jobs that you posted for the company stay. You can claim it again later.',
  confirm: 'Stop acting for it',
  busy: 'Leaving...',
} as const

/** What an administrator can do to a claim. */
export const CLAIM_DECISIONS = ['approve', 'decline', 'revoke'] as const
export type ClaimDecision = (typeof CLAIM_DECISIONS)[number]

/** What an administrator is asked before, and told after. */
export const DECISION_WORDS: Record<
  ClaimDecision,
  {
    button: string
    title: (company: string) => string
    text: string
    confirm: string
    busy: string
    done: (company: string) => string
  }
> = {
  approve: {
    button: 'Approve',
    title: (company) => `Let this person act for ${company}?`,
    text: 'They can reply as the company from now on. They get a mail.',
    confirm: 'Approve',
    busy: 'Approving...',
    done: (company) => `Approved for ${company}`,
  },
  decline: {
    button: 'Decline',
    title: (company) => `Decline this claim on ${company}?`,
    text: 'They get a mail, and can claim again.',
    confirm: 'Decline',
    busy: 'Declining...',
    done: (company) => `Declined for ${company}`,
  },
  revoke: {
    button: 'Revoke',
    title: (company) => `Take back the right to act for ${company}?`,
    text: 'Their rights end at once. What they wrote for the company stays. They get a mail.',
    confirm: 'Revoke',
    busy: 'Revoking...',
    done: (company) => `Revoked for ${company}`,
  },
}

export const DECLINE_NOTE = {
  label: 'Note to the person (optional)',
  hint: 'It stands in the mail and in their settings.',
} as const
