/**
 * A seat: the right to act for a company. Each approved claim is one, and the owner's decides about the others. Runs in
 * the browser too: no I/O here. D61.
 */

/** Seats of one company, including open invitations. */
export const SEATS_MAX = 20
/** Days until an invitation expires. */
export const INVITATION_DAYS = 14

export const SEAT_REFUSALS = {
  notOwner: 'Only the owner of this company’s seats can do this',
  full: `A company can have at most ${SEATS_MAX} seats, including open invitations. Remove one first.`,
  hasSeat: 'The person with this address already acts for the company',
  invited: 'This address has already been invited',
  invitationGone: 'This invitation no longer exists',
  seatGone: 'This person no longer acts for the company',
  isOwner: 'You can’t remove the owner’s seat. Hand over ownership first.',
  offered: 'You’ve already offered someone ownership. Withdraw that first.',
  notOffered: 'You’re no longer being offered ownership',
  leaveLast: 'You own this company’s seats. Hand over ownership first, or remove the others.',
} as const
