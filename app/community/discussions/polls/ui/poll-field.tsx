import { ChartColumn } from 'lucide'
import { useEffect, useRef } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { EMPTY_POLL, type PollDraft, type PollProblems } from '../poll.ts'

const PollEditor = lazyComponent(
  () => import('./poll-editor.tsx').then((it) => it.PollEditor),
  <Skeleton className="h-64 w-full rounded-xl" />,
)

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
      {...PollEditor.preload}
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
