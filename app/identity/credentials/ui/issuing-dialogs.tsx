/** Dialogs that solve an issuing problem, if it can be solved. Each loads when it opens. */
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { SecretElsewhere } from '../issuing-problem.data.ts'
import { NewKeysDialog } from './new-keys-dialog.tsx'

export const RestoreSecretDialog = lazyDialog(() =>
  import('./restore-secret-dialog.tsx').then((it) => it.RestoreSecretDialog),
)

export const FirstWordsDialog = lazyDialog(() =>
  import('./first-words-dialog.tsx').then((it) => it.FirstWordsDialog),
)

/** @param props.error what issuing threw, until it's closed */
export function IssuingDialogs({ error, onClose, onBrought }: IssuingDialogsProps) {
  return (
    <>
      <RestoreSecretDialog
        open={error instanceof SecretElsewhere}
        onOpenChange={onClose}
        {...(onBrought && { onBrought })}
      />
      <NewKeysDialog error={error} onClose={onClose} />
    </>
  )
}

interface IssuingDialogsProps {
  error: unknown
  onClose: () => void
  /** The browser has a secret now, restored or new. */
  onBrought?: () => void
}
