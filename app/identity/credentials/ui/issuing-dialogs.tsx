/** The ways on from an issuing problem, for problems that have one. Each loads when it opens. */
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { hasNewKeys, SecretElsewhere } from '../issuing-problem.data.ts'

export const BringSecretDialog = lazyDialog(() =>
  import('./bring-secret-dialog.tsx').then((it) => it.BringSecretDialog),
)

/** @param props.error what issuing threw, until it's closed */
export function IssuingDialogs({ error, onClose, onBrought }: IssuingDialogsProps) {
  return (
    <>
      <BringSecretDialog
        open={error instanceof SecretElsewhere}
        onOpenChange={onClose}
        {...(onBrought && { onBrought })}
      />
      <ConfirmDialog
        open={hasNewKeys(error)}
        onOpenChange={onClose}
        title="Use this site’s new keys?"
        words={{
          text: 'A site gets new keys if it’s restored from an old backup. But someone could also give you keys of your own, to recognise you. Ask the people who run this site, or someone else who uses it, before you go on. What you typed stays here.',
          confirm: 'Use the new keys',
          busy: 'Changing...',
          cancel: 'Not now',
        }}
        act={async () => (await import('../issuer-keys.data.ts')).forgetIssuerKeys()}
        onDone={() =>
          toast({ title: 'Your browser now uses the new keys', description: 'Please try again.' })
        }
      />
    </>
  )
}

interface IssuingDialogsProps {
  error: unknown
  onClose: () => void
  /** The browser has a secret now, restored or new. */
  onBrought?: () => void
}
