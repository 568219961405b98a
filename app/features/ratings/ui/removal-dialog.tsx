/** Asks before one's rating is taken away. Load it with `lazyDialog`. */
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OpenProps } from '../../../ui/lazy-component.tsx'

export function RemovalDialog({ open, onOpenChange, company, onRemove }: RemovalDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    await onRemove()
    setBusy(false)
    onOpenChange(false)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Remove your rating?"
      description={`Your stars no longer count for ${company}, and your note goes. You can rate again whenever you like.`}
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            Keep it
          </Button>
          <Button variant="danger" busy={isBusy} busyLabel="Removing..." onClick={press}>
            Remove rating
          </Button>
        </>
      }
    />
  )
}

type RemovalDialogProps = OpenProps & {
  company: string
  /** Never rejects: it tells of its failure itself. */
  onRemove: () => Promise<void>
}
