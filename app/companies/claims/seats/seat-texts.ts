import { INVITATION_DAYS } from './seat.ts'

export const SEAT_TEXTS = {
  title: 'Who acts for it',
  text: 'Everyone here can reply, manage jobs and see the dashboard. Only they and administrators see this list.',
  ofOwner: 'The owner decides who acts for the company.',
  email: 'A colleague’s email',
  hint: `They accept within ${INVITATION_DAYS} days, from an account with this address. You answer for the people you invite.`,
  invite: 'Invite',
  inviting: 'Inviting...',
  invited: { title: 'Invitation sent' },
  offered: 'The owner offers you ownership. You’d decide who acts for the company.',
  accept: 'Take ownership',
  decline: 'Decline',
  failed: 'That didn’t work',
} as const

export const SEAT_QUESTIONS = {
  remove: {
    title: (who: string) => `Remove ${who}’s seat?`,
    text: 'Their rights end at once, and they get an email. What they wrote for the company stays.',
    confirm: 'Remove',
    busy: 'Removing...',
    done: (who: string) => `${who} no longer acts for the company`,
  },
  offer: {
    title: (who: string) => `Offer ownership to ${who}?`,
    text: 'Once they accept, they decide who acts for the company. You keep a seat. They get an email.',
    confirm: 'Offer ownership',
    busy: 'Offering...',
    done: (who: string) => `Offered to ${who}`,
  },
  take: {
    title: (company: string) => `Take ownership of ${company}?`,
    text: 'You’ll decide who acts for the company, and answer for the people you invite.',
    confirm: 'Take ownership',
    busy: 'Taking over...',
    done: (company: string) => `You now own the seats of ${company}`,
  },
} as const

export const INVITATION_TEXTS = {
  title: (company: string) => `${company} invites you to act for it`,
  text: 'You’d reply as the company, manage its jobs and see its dashboard. This account could no longer post, vote or rate as a person. Colleagues with a seat would see your username.',
  accept: 'Accept',
  accepted: (company: string) => ({ title: `You act for ${company}` }),
  decline: 'Decline',
  declined: { title: 'Invitation declined' },
} as const
