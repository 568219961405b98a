/** Asks before a job is deleted or closed. Load it with `lazyDialog`. */
import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import type { OpenProps } from '../../../../ui/lazy-component.tsx'
import { JOB_QUESTIONS } from '../job-questions.ts'

export function JobQuestionDialog({ open, onOpenChange, what, title, onYes }: Props) {
  const [isBusy, setBusy] = useState(false)
  const words = JOB_QUESTIONS[what]
  const press = async () => {
    setBusy(true)
    await onYes()
    setBusy(false)
    onOpenChange(false)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={words.title}
      description={`“${title}”: ${words.text}`}
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {words.no}
          </Button>
          <Button
            variant={what === 'delete' ? 'danger' : 'primary'}
            busy={isBusy}
            busyLabel={words.busy}
            onClick={press}
          >
            {words.yes}
          </Button>
        </>
      }
    />
  )
}

type Props = OpenProps & {
  what: keyof typeof JOB_QUESTIONS
  /** Of the job. */
  title: string
  /** Never rejects: it tells of its failure itself. */
  onYes: () => Promise<void>
}
