/** Asks before a thread or a comment is deleted. Load it with `openable`. */
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OpenProps } from '../../../ui/openable.tsx'

export function PostDeletionDialog({ open, onOpenChange, what, text, onDelete }: Props) {
  const [isBusy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    await onDelete()
    setBusy(false)
    onOpenChange(false)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete this ${what}?`}
      description={text}
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            Keep it
          </Button>
          <Button variant="danger" busy={isBusy} busyLabel="Deleting..." onClick={press}>
            {`Delete ${what}`}
          </Button>
        </>
      }
    />
  )
}

type Props = OpenProps & {
  what: 'thread' | 'comment'
  /** What goes with it. */
  text: string
  /** Never rejects: it tells of its failure itself. */
  onDelete: () => Promise<void>
}
