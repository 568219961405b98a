/** What the settings say about claims that were made. No I/O here. */
import { CLAIM_LINK_HOURS } from './claim.ts'

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
