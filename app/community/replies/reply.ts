/** What a company replies in its own name, once below each thread or note. */
import { lengthOf, tidyText, visibleText } from '#app/kit/writing/text.ts'

export const REPLY_MIN = 10
export const REPLY_MAX = 5_000

export const COMPANY_REPLY_REFUSALS = {
  notFound: 'This reply doesn’t exist',
  noNote: 'This note doesn’t exist',
  ofNoCompany: 'This thread isn’t about a company',
  moved: 'This thread is no longer about your company',
  replied: 'Your company has already replied here',
  changed:
    'Someone else at your company changed this reply. See what it says now, then save again.',
  underReview: 'Moderators are reviewing this reply, so you can’t change it',
  noWords: 'A reply needs text',
} as const

/** What's wrong with a reply, in a sentence. */
export function replyProblem(text: string): string | undefined {
  const tidy = tidyText(text)
  const visible = visibleText(tidy)
  if (lengthOf(visible) < REPLY_MIN) return `A reply needs at least ${REPLY_MIN} characters`
  if (lengthOf(tidy) > REPLY_MAX)
    return `A reply can have at most ${REPLY_MAX.toLocaleString('en')} characters`
  return /[\p{L}\p{N}]/u.test(visible) ? undefined : COMPANY_REPLY_REFUSALS.noWords
}
