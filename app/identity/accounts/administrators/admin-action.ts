import { cutText, oneLine } from '#app/kit/writing/text.ts'

/** The actions in the administrators' log. Moderators' decisions have their own. */
export const ADMIN_ACTIONS = [
  'grant-administrator',
  'revoke-administrator',
  'grant-moderator',
  'revoke-moderator',
  'change-account',
  'suspend-account',
  'unsuspend-account',
  'delete-account',
  'approve-request',
  'decline-request',
  'delete-request',
  'add-company',
  'import-companies',
  'undo-import',
  'approve-claim',
  'decline-claim',
  'revoke-claim',
  'remove-company-reply',
  'delete-company',
  'add-job-feed',
  'remove-job-feed',
  'merge-companies',
  'undo-merge',
  'change-setting',
  'make-invitation',
  'revoke-invitation',
] as const
export type AdminAction = (typeof ADMIN_ACTIONS)[number]

/**
 * Actions on ordinary accounts keep only their day. After a suspension or deletion, someone's posts
 * stop, so a minute could be matched with the last posts under a name.
 */
export const DATED_TO_THE_DAY: readonly AdminAction[] = [
  'change-account',
  'suspend-account',
  'unsuspend-account',
  'delete-account',
]

export const SUBJECT_MAX = 200

/** A subject as we store it: one line, no email address, cut to length. */
export const tidySubject = (text: string) =>
  cutText(oneLine(text).replace(/(?<![^\s@])[^\s@]+@[^\s@]+/g, '…'), SUBJECT_MAX)

/** Why someone can't do something to an account, or see certain days of the log. */
export const ADMIN_REFUSALS = {
  gone: 'This account no longer exists',
  typeUsername: 'To delete the account, type the username exactly as shown',
  ownAccount: 'You can’t do this to your own account',
  ownerAppoints: 'Only the site’s owner can appoint administrators',
  ownerOnly: 'Only the site’s owner can do this to an administrator',
  isAdmin: 'This account is already an administrator',
  isModerator: 'This account is already a moderator',
  isEmployer: 'This account acts for a company. No one can moderate posts about their own company.',
  unconfirmed: 'This address isn’t confirmed, so the account could be anyone’s',
  suspended: 'This account is suspended. Lift the suspension first.',
  notAdmin: 'This account isn’t an administrator',
  notModerator: 'This account isn’t a moderator',
  isSuspended: 'This account is already suspended',
  notSuspended: 'This account isn’t suspended',
  reversedDays: 'The first day is after the last day',
} as const

/**
 * Why someone who manages accounts can’t touch this one. Not even the owner can touch their own, or
 * the site would have no owner.
 */
export function rankProblem(isOwner: boolean, user: { isMe: boolean; isAdmin: boolean }) {
  if (user.isMe) return ADMIN_REFUSALS.ownAccount
  return user.isAdmin && !isOwner ? ADMIN_REFUSALS.ownerOnly : undefined
}
