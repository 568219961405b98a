/** The Admin Panel's button that opens the requests. Spec §2.11. */
import { Inbox } from 'lucide'
import { useState } from 'react'
import { Button, type ButtonSize, type ButtonVariant } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { REVIEW_TEXTS } from '../request-review.ts'

const RequestsDialog = lazyDialog(() =>
  import('./requests-dialog.tsx').then((it) => it.RequestsDialog),
)

interface RequestsButtonProps {
  variant?: ButtonVariant
  size?: ButtonSize
  className?: string
}

export function RequestsButton({ variant = 'secondary', size, className }: RequestsButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant={variant}
        size={size}
        className={className}
        icon={<Icon of={Inbox} />}
        {...RequestsDialog.preload}
        onClick={() => setOpen(true)}
      >
        {REVIEW_TEXTS.button}
      </Button>
      <RequestsDialog open={isOpen} onOpenChange={setOpen} />
    </>
  )
}
