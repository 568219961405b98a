import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { hasNewKeys } from '../issuing-problem.data.ts'

/** Shown when the list of keys isn't the one this browser knows. */
export function NewKeysDialog({ error, onClose }: { error: unknown; onClose: () => void }) {
  return (
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
  )
}
