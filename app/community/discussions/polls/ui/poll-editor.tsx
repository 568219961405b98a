import { ArrowDown, ArrowUp, Plus, X } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '#app/kit/ui/button.tsx'
import { TextField } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { PollDraft, PollProblems } from '../../threads/thread-draft.ts'
import {
  POLL_DAYS_MAX,
  POLL_OPTION_MAX,
  POLL_OPTIONS_MAX,
  POLL_OPTIONS_MIN,
  POLL_PROBLEMS,
} from '../poll.ts'

export function PollEditor({ poll, problems, takesFocus, onChange }: PollEditorProps) {
  const root = useRef<HTMLFieldSetElement>(null)
  const [announcement, announce] = useState('')
  /** What to focus after the next render, because buttons move with their options. */
  const wanted = useRef<string>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    root.current?.querySelector<HTMLElement>(wanted.current)?.focus()
    wanted.current = undefined
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on arrival
  useEffect(() => {
    // Unless the person moved on while it loaded.
    if (takesFocus && document.activeElement === document.body)
      root.current?.querySelector('input')?.focus()
  }, [])

  const move = (index: number, step: -1 | 1) => {
    const key = poll.options[index]?.key
    const to = index + step
    // At the end, this arrow is disabled, so focus the other one.
    const isAtEnd = to === 0 || to === poll.options.length - 1
    const arrow = (step === -1) === isAtEnd ? 'down' : 'up'
    wanted.current = `[data-move="${key}-${arrow}"]`
    announce(`Option ${index + 1} is now option ${to + 1}`)
    onChange(moveOption(poll, index, step))
  }
  const remove = (index: number) => {
    const next = poll.options[index + 1] ?? poll.options[index - 1]
    wanted.current = `[data-option="${next?.key}"]`
    announce(`Option ${index + 1} removed`)
    onChange(removeOption(poll, index))
  }
  const add = () => {
    const after = addOption(poll)
    wanted.current = `[data-option="${after.options.at(-1)?.key}"]`
    onChange(after)
  }

  return (
    <fieldset ref={root} className="rounded-xl border border-line bg-surface p-4 md:p-5">
      <legend className="px-1 text-sm font-medium text-ink">Poll</legend>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ol className="grid gap-3">
        {poll.options.map(({ key, text }, index) => (
          <li key={key} className="flex items-start gap-1">
            <div className="min-w-0 flex-1">
              <TextField
                data-option={key}
                label={`Option ${index + 1}`}
                isLabelHidden
                placeholder={`Option ${index + 1}`}
                autoComplete="off"
                maxLength={POLL_OPTION_MAX}
                value={text}
                onChange={(event) => onChange(writeOption(poll, index, event.target.value))}
                error={problems?.options[key]}
              />
            </div>
            {/* Narrow buttons leave room for the text on a phone. */}
            <div className="flex *:max-sm:w-8">
              <IconButton
                data-move={`${key}-up`}
                label={`Move option ${index + 1} up`}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              >
                <Icon of={ArrowUp} />
              </IconButton>
              <IconButton
                data-move={`${key}-down`}
                label={`Move option ${index + 1} down`}
                disabled={index === poll.options.length - 1}
                onClick={() => move(index, 1)}
              >
                <Icon of={ArrowDown} />
              </IconButton>
              <IconButton
                label={`Remove option ${index + 1}`}
                disabled={!canRemoveOption(poll)}
                onClick={() => remove(index)}
              >
                <Icon of={X} />
              </IconButton>
            </div>
          </li>
        ))}
      </ol>
      <div className="mt-3">
        {canAddOption(poll) ? (
          <Button
            variant="ghost"
            size="sm"
            icon={<Icon of={Plus} />}
            className="-ml-3"
            onClick={add}
          >
            Add an option
          </Button>
        ) : (
          <p className="text-sm text-ink-faint">{POLL_PROBLEMS.manyOptions}.</p>
        )}
      </div>
      <div className="mt-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 border-t border-line pt-4">
        <div className="w-40">
          <TextField
            type="number"
            inputMode="numeric"
            label="Runs for (days)"
            min={1}
            max={POLL_DAYS_MAX}
            value={poll.days}
            onChange={(event) => onChange({ ...poll, days: event.target.value })}
            error={problems?.days}
          />
        </div>
        <Button variant="ghost" className="max-sm:-ml-4" onClick={() => onChange(null)}>
          Remove the poll
        </Button>
      </div>
    </fieldset>
  )
}

interface PollEditorProps {
  poll: PollDraft
  problems?: PollProblems
  takesFocus: boolean
  onChange: (poll: PollDraft | null) => void
}

export const canAddOption = ({ options }: PollDraft) => options.length < POLL_OPTIONS_MAX
const canRemoveOption = ({ options }: PollDraft) => options.length > POLL_OPTIONS_MIN

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
