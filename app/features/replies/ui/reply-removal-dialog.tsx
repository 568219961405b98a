/** Asks before a company's reply goes. Load it with `lazyDialog`. */
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OpenProps } from '../../../ui/lazy-component.tsx'
import { REMOVAL } from '../reply.ts'

export function ReplyRemovalDialog({ open, onOpenChange, onRemove }: ReplyRemovalProps) {
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
      title={REMOVAL.title}
      description={REMOVAL.text}
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {REMOVAL.keep}
          </Button>
          <Button variant="danger" busy={isBusy} busyLabel={REMOVAL.busy} onClick={press}>
            {REMOVAL.remove}
          </Button>
        </>
      }
    />
  )
}

type ReplyRemovalProps = OpenProps & {
  /** Never rejects: it tells of its failure itself. */
  onRemove: () => Promise<void>
}
