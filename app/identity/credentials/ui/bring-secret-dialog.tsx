import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MY_KEY } from '#app/kit/session/live-session.data.ts'
import { Dialog, useRound } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { BringSecretForm } from './bring-secret-form.tsx'
import { LostSecretForm } from './lost-secret-form.tsx'

/** Load it with `lazyDialog`. Only the type of the key is imported, as its file is heavy. */
const MINE: typeof MY_KEY = 'me'

export function BringSecretDialog(props: BringSecretDialogProps) {
  const { open, onOpenChange, onBrought, isLost = false } = props
  const queryClient = useQueryClient()
  const [view, setView] = useState<'bring' | 'lost'>(isLost ? 'lost' : 'bring')
  useRound(open, () => setView(isLost ? 'lost' : 'bring'))
  const finish = async (title: string) => {
    // Forms behind this must know of the found ratings first.
    await queryClient.invalidateQueries({ queryKey: [MINE] })
    onOpenChange(false)
    toast({ title })
    onBrought?.()
  }
  const close = () => onOpenChange(false)
  if (view === 'lost')
    return (
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        width="md"
        title="Start over"
        description="Your existing ratings stay on the site. You won't be able to change or remove them."
      >
        <LostSecretForm onClose={close} onBegun={() => finish('You started over')} />
      </Dialog>
    )
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="md"
      title="Restore your ratings"
      description="They're on another device. Restore them here to rate and edit from this one."
    >
      <BringSecretForm
        onClose={close}
        onLost={() => setView('lost')}
        onBrought={() => finish('Your ratings are now on this device')}
      />
    </Dialog>
  )
}

type BringSecretDialogProps = OpenProps & {
  /** The browser has a secret now, restored or new. */
  onBrought?: () => void
  /** Opens with "Start over". */
  isLost?: boolean
}
