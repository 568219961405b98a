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
      texts={{
        text: 'A site gets new keys when it’s restored from an old backup. But someone could also give you keys made just for you, to find out who you are. Before you continue, check with the people who run this site, or with someone else who uses it. What you typed stays here.',
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
