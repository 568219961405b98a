/**
 * A seat: somebody’s right to act for a company. Each approved claim is one; the owner’s decides about the
 * others. Runs in the browser too: no I/O here. D61.
 */

/** Of one company, open invitations among them. */
export const SEATS_MAX = 20
/** An invitation that nobody answers ends by itself. */
export const INVITATION_DAYS = 14

/** Sentences that say no. */
export const SEAT_REFUSALS = {
  notOwner: 'Only the owner of this company’s seats can do this',
  full: `A company has at most ${SEATS_MAX} seats, open invitations among them. Remove one first.`,
  hasSeat: 'Whoever has this address acts for the company already',
  invited: 'This address is invited already',
  invitationGone: 'This invitation is not there any more',
  seatGone: 'This person does not act for the company any more',
  isOwner: 'The owner’s seat stays. Hand the ownership over first.',
  offered: 'You have offered the ownership to somebody already. Take that back first.',
  notOffered: 'The ownership is not offered to you any more',
  leaveLast:
    'You own the seats of this company. Hand the ownership over first, or remove the others.',
} as const
