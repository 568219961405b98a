/** The inbox's keyboard shortcuts. */
import { isPlain, type KeyPress } from '#app/kit/ui/list-keys.ts'

export const INBOX_KEYS = [
  { command: 'next', key: 'j', meaning: 'next' },
  { command: 'previous', key: 'k', meaning: 'previous' },
  { command: 'archive', key: 'e', meaning: 'archive or unarchive' },
  { command: 'unread', key: 'u', meaning: 'mark unread or read' },
  { command: 'take', key: 'a', meaning: 'take it' },
] as const

export type InboxCommand = (typeof INBOX_KEYS)[number]['command']

/** The command of a key press. Undefined if it isn't one. Holding a key moves through the list, but changes nothing. */
export function inboxCommandOf(press: KeyPress): InboxCommand | undefined {
  if (!isPlain(press) || press.shiftKey) return undefined
  const command = INBOX_KEYS.find(({ key }) => key === press.key.toLowerCase())?.command
  const isStep = command === 'next' || command === 'previous'
  return press.repeat && !isStep ? undefined : command
}
