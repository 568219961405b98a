export const REPLY_SENT = { title: 'Your reply is published' } as const
export const REPLY_CHANGED = { title: 'Your reply is saved' } as const
export const REPLY_REMOVED = { title: 'Reply removed' } as const
export const REMOVAL_FAILED = 'Couldn’t remove the reply'

export const REMOVAL = {
  title: 'Remove this reply?',
  text: 'This permanently deletes the reply and its history.',
  confirm: 'Remove reply',
  busy: 'Removing...',
  cancel: 'Keep it',
} as const
