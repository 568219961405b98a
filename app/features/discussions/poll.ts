/** A poll while it is being made: its options in their order, and how long it runs. */
import { POLL_DAYS_MAX, POLL_OPTION_MAX, POLL_OPTIONS_MAX, POLL_OPTIONS_MIN } from './discussion.ts'

export interface PollDraft {
  /** `key` stays with an option wherever it moves. */
  options: { key: number; text: string }[]
  /** As it was typed. */
  days: string
}

export interface PollProblems {
  /** By the option's key. */
  options: Record<number, string>
  days?: string
}

export const EMPTY_POLL: PollDraft = {
  options: Array.from({ length: POLL_OPTIONS_MIN }, (_, key) => ({ key, text: '' })),
  days: '7',
}

export const canAddOption = ({ options }: PollDraft) => options.length < POLL_OPTIONS_MAX
export const canRemoveOption = ({ options }: PollDraft) => options.length > POLL_OPTIONS_MIN

export function addOption(poll: PollDraft): PollDraft {
  if (!canAddOption(poll)) return poll
  const key = 1 + Math.max(-1, ...poll.options.map((option) => option.key))
  return { ...poll, options: [...poll.options, { key, text: '' }] }
}

export function removeOption(poll: PollDraft, place: number): PollDraft {
  if (!canRemoveOption(poll)) return poll
  return { ...poll, options: poll.options.filter((_, index) => index !== place) }
}

export function writeOption(poll: PollDraft, place: number, text: string): PollDraft {
  const options = poll.options.map((option, index) =>
    index === place ? { ...option, text } : option,
  )
  return { ...poll, options }
}

/** Changes places with the option before (-1) or after (1) it. */
export function moveOption(poll: PollDraft, place: number, step: -1 | 1): PollDraft {
  const moved = poll.options[place]
  const other = poll.options[place + step]
  if (!moved || !other) return poll
  const options = [...poll.options]
  options[place] = other
  options[place + step] = moved
  return { ...poll, options }
}

/** What must change before it can be sent; undefined when nothing must. */
export function pollProblems(poll: PollDraft): PollProblems | undefined {
  const options: Record<number, string> = {}
  const seen = new Set<string>()
  for (const { key, text } of poll.options) {
    const words = text.trim().toLowerCase()
    if (words === '') options[key] = 'An option needs words'
    else if (text.trim().length > POLL_OPTION_MAX)
      options[key] = `An option has at most ${POLL_OPTION_MAX} characters`
    else if (seen.has(words)) options[key] = 'This option is there already'
    seen.add(words)
  }
  const days = Number(poll.days)
  const areDaysRight = Number.isInteger(days) && days >= 1 && days <= POLL_DAYS_MAX
  if (areDaysRight && Object.keys(options).length === 0) return undefined
  return { options, days: areDaysRight ? undefined : `A poll runs 1 to ${POLL_DAYS_MAX} days` }
}

/** What is sent of it. */
export const pollInput = ({ options, days }: PollDraft) => ({
  options: options.map(({ text }) => text.trim()),
  days: Number(days),
})
