/** What administrators do, as their log keeps it. Runs in the browser too: no I/O here. */
import { cutText, oneLine } from '#app/kit/writing/text.ts'

/** What the log of the administrators knows. Moderators' decisions have a log of their own. */
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
 * What is done to an ordinary person's account keeps its day alone. A suspension or a deletion ends what
 * somebody writes, and lifting it lets it go on: to the minute it could be held against the first and the
 * last posts under a name. All else is an act of administrators among themselves, or on companies.
 */
export const DATED_TO_THE_DAY: readonly AdminAction[] = [
  'change-account',
  'suspend-account',
  'unsuspend-account',
  'delete-account',
]

export const SUBJECT_MAX = 200

/** A subject as it is kept: one line, no e-mail address in it, not too long. */
export const tidySubject = (text: string) =>
  cutText(oneLine(text).replace(/(?<![^\s@])[^\s@]+@[^\s@]+/g, '…'), SUBJECT_MAX)
