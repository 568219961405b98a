/** The texts of claims: their form, the settings, and what administrators read. No I/O here. */
import { CLAIM_LINK_HOURS, type ClaimDecision, type ClaimList } from './claim.ts'

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

/** Mails about the company that somebody acts for. */
export const COMPANY_NEWS_TEXTS = {
  label: 'Mail me about new threads and notes, once a day at most',
  on: (company: string) => ({ id: 'company-news', title: `News about ${company} comes by mail` }),
  off: (company: string) => ({ id: 'company-news', title: `No more mails about ${company}` }),
} as const

/** Asked before somebody leaves. */
export const LEAVE_WORDS = {
  title: (company: string) => `Stop acting for ${company}?`,
  text: 'Your rights end at once. Replies and jobs that you posted for the company stay. You can claim it again later.',
  confirm: 'Stop acting for it',
  busy: 'Leaving...',
} as const

/** The form of a claim. */
export const CLAIM_FORM_TEXTS = {
  /** What it costs, said before it is asked for. */
  warning:
    'An account that acts for a company reads and replies as the company. It does not post, vote or rate as a person any more. Use an account that you keep for work.',
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

/** The section of the settings for those who act for a company. */
export const REPRESENT_TEXTS = {
  title: 'I represent a company',
  text: 'Reply as the company and see how it is talked about. Only colleagues who act for it are shown that it is you.',
  unconfirmed: 'We have to be sure of your account’s own email first. Confirm it under',
  start:
    'Show that you belong to a company, by work email or by a DNS record. We look at each claim.',
  add: 'Represent a company',
  addAnother: 'Represent another company',
} as const

/** On each company's page, whether or not anybody acts for it: that is nobody else's to know. */
export const YOURS = {
  link: 'Is this your company?',
  text: 'Whoever speaks for it can answer here in its name.',
} as const

/** Where somebody says that they act for a company. @param settings where those are  @param company its id, if it is known */
export const representAddress = (settings: string, company?: string) =>
  `${settings}${company ? `?${new URLSearchParams({ company })}` : ''}#represent`

/** What administrators read who decide on claims. */
export const CLAIM_LIST_NAMES: Record<ClaimList, string> = {
  waiting: 'To decide',
  unverified: 'Not verified yet',
  approved: 'Approved',
  closed: 'Closed',
}
export const CLAIM_LIST_EMPTY: Record<ClaimList, { title: string; text: string }> = {
  waiting: { title: 'Nothing to decide', text: 'Verified claims wait here for an administrator.' },
  unverified: {
    title: 'No claim is being verified',
    text: 'A claim is listed here until its mail is confirmed or its DNS record is found.',
  },
  approved: {
    title: 'Nobody acts for a company yet',
    text: 'Approved claims are listed here, and can be revoked.',
  },
  closed: {
    title: 'No closed claims',
    text: 'Declined, withdrawn and revoked claims are listed here.',
  },
}

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
    text: 'They can reply as the company from now on. They own its seats, or get one where somebody owns them already. They get a mail.',
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
    text: 'Their rights end at once, an owner’s with all seats of the company, and its jobs close. What they wrote for it stays. They get a mail.',
    confirm: 'Revoke',
    busy: 'Revoking...',
    done: (company) => `Revoked for ${company}`,
  },
}

export const DECLINE_NOTE = {
  label: 'Note to the person (optional)',
  hint: 'It stands in the mail and in their settings.',
} as const
