/** What those who reply for a company are asked and told. */

export const REPLY_SENT = { title: 'Your reply is published' } as const
export const REPLY_CHANGED = { title: 'Your reply has been changed' } as const
export const REPLY_REMOVED = { title: 'Reply removed' } as const
export const REMOVAL_FAILED = 'The reply is still there'

/** What is asked before a reply goes. */
export const REMOVAL = {
  title: 'Remove this reply?',
  text: 'It goes with its history, and nobody can bring it back.',
  confirm: 'Remove reply',
  busy: 'Removing...',
  cancel: 'Keep it',
} as const
