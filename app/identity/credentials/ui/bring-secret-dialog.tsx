/** Takes the secret that a person rates with from another device, or begins anew. Load it with `lazyDialog`. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MY_KEY } from '#app/kit/session/live-session.data.ts'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { useRound } from '#app/kit/ui/use-round.ts'
import { BringSecretForm } from './bring-secret-form.tsx'
import { LostSecretForm } from './lost-secret-form.tsx'

/** Only its type is imported: its file is heavy. */
const MINE: typeof MY_KEY = 'me'

export function BringSecretDialog(props: BringSecretDialogProps) {
  const { open, onOpenChange, onBrought, isLost = false } = props
  const queryClient = useQueryClient()
  const [view, setView] = useState<'bring' | 'lost'>(isLost ? 'lost' : 'bring')
  useRound(open, () => setView(isLost ? 'lost' : 'bring'))
  const finish = async (title: string) => {
    // The ratings that it finds are this person's: whatever is filled in behind this knows of them first.
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
        title="Begin anew"
        description="What you rated so far stays on the site as it is. You can never change or remove it any more."
      >
        <LostSecretForm onClose={close} onBegun={() => finish('You have begun anew')} />
      </Dialog>
    )
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="md"
      title="Bring your ratings here"
      description="They belong to another device so far. Once they are here, this one can rate, and change what you gave."
    >
      <BringSecretForm
        onClose={close}
        onLost={() => setView('lost')}
        onBrought={() => finish('This device has your ratings now')}
      />
    </Dialog>
  )
}

type BringSecretDialogProps = OpenProps & {
  /** This browser has a secret to rate with: it was brought, or begun anew. */
  onBrought?: () => void
  /** Opens where one begins anew. */
  isLost?: boolean
}
