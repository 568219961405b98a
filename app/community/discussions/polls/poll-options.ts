import { POLL_OPTIONS_MAX, POLL_OPTIONS_MIN } from '../discussion.ts'
import type { PollDraft } from './poll.ts'

export const canAddOption = ({ options }: PollDraft) => options.length < POLL_OPTIONS_MAX
export const canRemoveOption = ({ options }: PollDraft) => options.length > POLL_OPTIONS_MIN

export function addOption(poll: PollDraft): PollDraft {
  if (!canAddOption(poll)) return poll
  const key = 1 + Math.max(-1, ...poll.options.map((option) => option.key))
  return { ...poll, options: [...poll.options, { key, text: '' }] }
}

export function removeOption(poll: PollDraft, position: number): PollDraft {
  if (!canRemoveOption(poll)) return poll
  return { ...poll, options: poll.options.filter((_, index) => index !== position) }
}

export function writeOption(poll: PollDraft, position: number, text: string): PollDraft {
  const options = poll.options.map((option, index) =>
    index === position ? { ...option, text } : option,
  )
  return { ...poll, options }
}

/** Swaps with the option before (-1) or after (1) it. */
export function moveOption(poll: PollDraft, position: number, step: -1 | 1): PollDraft {
  const moved = poll.options[position]
  const other = poll.options[position + step]
  if (!moved || !other) return poll
  const options = [...poll.options]
  options[position] = other
  options[position + step] = moved
  return { ...poll, options }
}
