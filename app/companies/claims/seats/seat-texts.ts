/** What the settings say about the seats of a company. No I/O here. */
import { INVITATION_DAYS } from './seat.ts'

export const SEAT_TEXTS = {
  title: 'Who acts for it',
  text: 'All of them reply, look after jobs and see the dashboard. Only they and administrators see this list.',
  ofOwner: 'The owner decides who acts for the company.',
  email: 'A colleague’s email',
  hint: `They accept with an account that has this address, within ${INVITATION_DAYS} days. You answer for whom you invite.`,
  invite: 'Invite',
  inviting: 'Inviting...',
  invited: { title: 'Invitation sent' },
  offered: 'The owner offers you the ownership: you would decide who acts for the company.',
  accept: 'Take the ownership',
  decline: 'Decline',
  failed: 'Not done',
} as const

/** Asked before, and told after. */
export const SEAT_QUESTIONS = {
  remove: {
    title: (who: string) => `Remove the seat of ${who}?`,
    text: 'Their rights end at once, and they get a mail. What they wrote for the company stays.',
    confirm: 'Remove',
    busy: 'Removing...',
    done: (who: string) => `${who} no longer acts for the company`,
  },
  offer: {
    title: (who: string) => `Offer the ownership to ${who}?`,
    text: 'Once they accept, they decide who acts for the company. You keep a seat. They get a mail.',
    confirm: 'Offer the ownership',
    busy: 'Offering...',
    done: (who: string) => `Offered to ${who}`,
  },
  take: {
    title: (company: string) => `Take the ownership of ${company}?`,
    text: 'You decide who acts for the company from now on, and answer for whom you invite.',
    confirm: 'Take the ownership',
    busy: 'Taking over...',
    done: (company: string) => `You own the seats of ${company}`,
  },
} as const

/** To whom a company invites. */
export const INVITATION_TEXTS = {
  title: (company: string) => `${company} invites you to act for it`,
  text: 'You would reply as the company, look after its jobs and see its dashboard. With this account you do not post, vote or rate as a person any more. Colleagues with a seat see your username.',
  accept: 'Accept',
  accepted: (company: string) => ({ title: `You act for ${company}` }),
  decline: 'Decline',
  declined: { title: 'Invitation declined' },
} as const
