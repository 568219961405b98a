/** What a company replies in its own name, once below a thread and once below a note. */
import { cleanText, visibleText } from '#app/kit/writing/text.ts'

export const REPLY_MIN = 10
export const REPLY_MAX = 5_000

export const REPLY_NOT_FOUND = 'This reply doesn’t exist'
export const NOTE_NOT_FOUND = 'This note doesn’t exist'
export const OF_NO_COMPANY = 'This thread isn’t about a company'
export const MOVED_MEANWHILE = 'This thread is no longer about your company'
export const NOTE_HELD = 'This note is hidden until a moderator reviews it'
export const NOTE_REMOVED = 'This note was removed by a moderator'
export const REPLIED_ALREADY = 'Your company has already replied here'
export const CHANGED_MEANWHILE =
  'Someone else at your company changed this reply. See what it says now, then save again.'

export const NO_WORDS = 'A reply needs text'

export const tidyReply = (text: string) => cleanText(text).trim()

/** What's wrong with a reply, in a sentence. */
export function replyProblem(text: string): string | undefined {
  const tidy = tidyReply(text)
  const visible = visibleText(tidy)
  if ([...visible].length < REPLY_MIN) return `A reply has at least ${REPLY_MIN} characters`
  if (tidy.length > REPLY_MAX) return `A reply has at most ${REPLY_MAX} characters`
  return /[\p{L}\p{N}]/u.test(visible) ? undefined : NO_WORDS
}
