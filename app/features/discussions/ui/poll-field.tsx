/** Where a poll is added to a thread that is being written. */
import { ChartColumn } from 'lucide'
import { useEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { pagePart } from '../../../ui/page-part.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { warmUp } from '../../../ui/warm.ts'
import { EMPTY_POLL, type PollDraft, type PollProblems } from '../poll.ts'

/** It comes when somebody wants a poll. */
const PollEditor = pagePart(
  () => import('./poll-editor.tsx').then((it) => it.PollEditor),
  <Skeleton className="h-64 w-full rounded-xl" />,
)
const warm = () => warmUp(PollEditor.load)

export function PollField({ poll, problems, onChange }: PollFieldProps) {
  const opener = useRef<HTMLButtonElement>(null)
  const wasAdded = useRef(false)
  const wasRemoved = useRef(false)
  useEffect(() => {
    if (wasRemoved.current && !poll) opener.current?.focus()
    wasRemoved.current = false
  }, [poll])

  if (poll)
    return (
      <PollEditor
        poll={poll}
        problems={problems}
        takesFocus={wasAdded.current}
        onChange={(next) => {
          wasRemoved.current = next === null
          onChange(next)
        }}
      />
    )
  return (
    <Button
      ref={opener}
      variant="secondary"
      icon={<Icon of={ChartColumn} />}
      className="justify-self-start"
      onPointerEnter={warm}
      onFocus={warm}
      onClick={() => {
        wasAdded.current = true
        onChange(EMPTY_POLL)
      }}
    >
      Add a poll
    </Button>
  )
}

interface PollFieldProps {
  poll: PollDraft | null
  problems?: PollProblems
  onChange: (poll: PollDraft | null) => void
}
