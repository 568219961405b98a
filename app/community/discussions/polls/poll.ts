import { isBlank } from '#app/kit/writing/text.ts'
import { POLL_DAYS_MAX, POLL_OPTION_MAX, POLL_OPTIONS_MIN, TEXT_PROBLEMS } from '../discussion.ts'

export interface PollDraft {
  /** `key` stays with an option wherever it moves. */
  options: { key: number; text: string }[]
  days: string
}

export interface PollProblems {
  options: Record<number, string>
  days?: string
}

export const EMPTY_POLL: PollDraft = {
  options: Array.from({ length: POLL_OPTIONS_MIN }, (_, key) => ({ key, text: '' })),
  days: '7',
}

export function pollProblems(poll: PollDraft): PollProblems | undefined {
  const options: Record<number, string> = {}
  const seen = new Set<string>()
  for (const { key, text } of poll.options) {
    const words = text.trim().toLowerCase()
    if (isBlank(words)) options[key] = TEXT_PROBLEMS.emptyOption
    else if (text.trim().length > POLL_OPTION_MAX)
      options[key] = `An option has at most ${POLL_OPTION_MAX} characters`
    else if (seen.has(words)) options[key] = 'This option already exists'
    seen.add(words)
  }
  const days = Number(poll.days)
  const areDaysRight = Number.isInteger(days) && days >= 1 && days <= POLL_DAYS_MAX
  if (areDaysRight && Object.keys(options).length === 0) return undefined
  return { options, days: areDaysRight ? undefined : `A poll runs 1 to ${POLL_DAYS_MAX} days` }
}

export const pollInput = ({ options, days }: PollDraft) => ({
  options: options.map(({ text }) => text.trim()),
  days: Number(days),
})
