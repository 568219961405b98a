/** Says honestly that a part of the site is still being built. */
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OpenProps } from '../../../ui/openable.tsx'

export function ComingDialog({ open, onOpenChange, title, text }: ComingDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={text}
      footer={<Button onClick={() => onOpenChange(false)}>All right</Button>}
    />
  )
}

type ComingDialogProps = OpenProps & { title: string; text: string }
