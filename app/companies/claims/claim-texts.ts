import { CLAIM_LINK_HOURS, type ClaimDecision, type ClaimList } from './claim.ts'

/** The next step of a claim. */
export const CLAIM_STEPS = {
  mail: (address: string) =>
    `We sent a link to ${address}. Open it and confirm, within ${CLAIM_LINK_HOURS} hours.`,
  dns: 'Add this TXT record to your domain, then let us look for it.',
  verified: 'Verified. An administrator will review it, and we’ll write to your account’s email.',
  approved: 'You act for this company.',
  declined: 'Your claim was declined.',
  revoked: 'An administrator has revoked this.',
} as const

export const CLAIM_TOASTS = {
  mailSent: { title: 'Check your work email', description: 'Open the link in it and confirm.' },
  dnsClaimed: {
    title: 'One step left',
    description: 'Add the TXT record shown below.',
  },
  resent: { title: 'Sent again', description: 'Check your work email.' },
  verified: { title: 'Verified', description: 'An administrator will review your claim.' },
  missing: {
    title: 'Not found yet',
    description: 'New records can take an hour to show up everywhere. Try again later.',
  },
  'no-answer': {
    title: 'No answer',
    description: 'The domain’s name servers didn’t answer. Try again later.',
  },
  withdrawn: { title: 'Claim withdrawn' },
  left: (company: string) => ({ title: `You no longer act for ${company}` }),
  copied: { title: 'Copied' },
  failed: 'That didn’t work',
} as const

export const COMPANY_NEWS_TEXTS = {
  label: 'Email me about new threads and notes, at most once a day',
  on: (company: string) => ({ id: 'company-news', title: `You’ll get emails about ${company}` }),
  off: (company: string) => ({ id: 'company-news', title: `No more emails about ${company}` }),
} as const

export const LEAVE_WORDS = {
  title: (company: string) => `Stop acting for ${company}?`,
  text: 'Your rights end at once. Replies and jobs you posted for the company stay. You can claim it again later.',
  confirm: 'Stop acting for it',
  busy: 'Leaving...',
} as const

export const CLAIM_FORM_TEXTS = {
  /** What it costs, said before it is asked for. */
  warning:
    'An account that acts for a company reads and replies as the company. It can’t post, vote or rate as a person. Use a separate account for work.',
  company: 'Company',
  companyHint: 'Which company do you represent?',
  noCompany: 'Please choose a company',
  method: 'How can you show that you belong to it?',
  mail: 'By work email',
  mailText: 'We send a link to your address at the company’s domain.',
  dns: 'By DNS record',
  dnsText: 'You add a TXT record to the domain of the company’s website.',
  workEmail: 'Work email',
  workEmailHint: 'Kept encrypted until we’ve decided. Others see its first letter at most.',
  note: 'Note for the administrators (optional)',
  noteHint: 'What you do at the company, for example.',
  send: 'Send claim',
  sending: 'Sending...',
  cancel: 'Cancel',
} as const

export const REPRESENT_TEXTS = {
  title: 'I represent a company',
  text: 'Reply as the company and see how people talk about it. Only colleagues who act for it see that it’s you.',
  unconfirmed: 'First, please confirm your account’s own email under',
  start:
    'Show that you belong to a company, with a work email or a DNS record. We review each claim.',
  add: 'Represent a company',
  addAnother: 'Represent another company',
} as const

/** The same on each company's page, so that it doesn't tell whether anyone acts for it. */
export const YOURS = {
  link: 'Is this your company?',
  text: 'Claim it to reply on the company’s behalf.',
} as const

/** @param settings path of the settings @param company id, if known */
export const representAddress = (settings: string, company?: string) =>
  `${settings}${company ? `?${new URLSearchParams({ company })}` : ''}#represent`

export const CLAIM_LIST_NAMES: Record<ClaimList, string> = {
  waiting: 'To decide',
  unverified: 'Not verified yet',
  approved: 'Approved',
  closed: 'Closed',
}
export const CLAIM_LIST_EMPTY: Record<ClaimList, { title: string; text: string }> = {
  waiting: { title: 'Nothing to decide', text: 'Verified claims wait here for an administrator.' },
  unverified: {
    title: 'No unverified claims',
    text: 'Claims stay here until the email is confirmed or the DNS record is found.',
  },
  approved: {
    title: 'No one acts for a company yet',
    text: 'Approved claims are listed here, and can be revoked.',
  },
  closed: {
    title: 'No closed claims',
    text: 'Declined, withdrawn and revoked claims are listed here.',
  },
}

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
    text: 'They can now reply as the company. They own its seats, or get one if someone owns them already. They get an email.',
    confirm: 'Approve',
    busy: 'Approving...',
    done: (company) => `Approved for ${company}`,
  },
  decline: {
    button: 'Decline',
    title: (company) => `Decline this claim on ${company}?`,
    text: 'They get an email, and can claim again.',
    confirm: 'Decline',
    busy: 'Declining...',
    done: (company) => `Declined for ${company}`,
  },
  revoke: {
    button: 'Revoke',
    title: (company) => `Revoke the right to act for ${company}?`,
    text: 'Their rights end at once. For an owner, all the company’s seats end too. The company’s jobs close. What they wrote for it stays. They get an email.',
    confirm: 'Revoke',
    busy: 'Revoking...',
    done: (company) => `Revoked for ${company}`,
  },
}

export const DECLINE_NOTE = {
  label: 'Note to the person (optional)',
  hint: 'Shown in the email and in their settings.',
} as const
