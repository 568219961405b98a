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
  'merge-companies',
  'undo-merge',
] as const
export type AdminAction = (typeof ADMIN_ACTIONS)[number]

/**
 * Actions on ordinary accounts keep only their day. A suspension or deletion ends someone's posts,
 * so a minute could be matched with the last posts under a name.
 */
export const DATED_TO_THE_DAY: readonly AdminAction[] = [
  'change-account',
  'suspend-account',
  'unsuspend-account',
  'delete-account',
]

export const SUBJECT_MAX = 200

/** A subject as stored: one line, no email address, cut to length. */
export const tidySubject = (text: string) =>
  cutText(oneLine(text).replace(/(?<![^\s@])[^\s@]+@[^\s@]+/g, '…'), SUBJECT_MAX)

export const OWNER_APPOINTS = 'Only the site’s owner can appoint administrators'
