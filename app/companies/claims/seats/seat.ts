/**
 * A seat: the right to act for a company. Each approved claim is one; the owner's decides about the others. Runs in the
 * browser too: no I/O here. D61.
 */

/** Of one company, including open invitations. */
export const SEATS_MAX = 20
/** Days until an invitation expires. */
export const INVITATION_DAYS = 14

export const SEAT_REFUSALS = {
  notOwner: 'Only the owner of this company’s seats can do this',
  full: `A company has at most ${SEATS_MAX} seats, including open invitations. Remove one first.`,
  hasSeat: 'The person with this address already acts for the company',
  invited: 'This address is already invited',
  invitationGone: 'This invitation no longer exists',
  seatGone: 'This person no longer acts for the company',
  isOwner: 'The owner’s seat stays. Hand over ownership first.',
  offered: 'You’ve already offered someone ownership. Withdraw that first.',
  notOffered: 'Ownership is no longer offered to you',
  leaveLast: 'You own this company’s seats. Hand over ownership first, or remove the others.',
} as const

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
