/** What administrators read who decide on claims. No I/O here. */
import type { ClaimDecision, ClaimList } from './claim.ts'

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
