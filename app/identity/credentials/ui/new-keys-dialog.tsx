import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { forgetIssuerKeys } from '../issuer-keys.data.ts'

/** The way on where a site has other keys than this browser knows. */
export const NewKeysDialog = (open: OpenProps) => (
  <ConfirmDialog
    {...open}
    title="Use this site’s new keys?"
    words={{
      text: 'A site gets new keys if it’s restored from an old backup. But someone could also give you keys of your own, to recognise you. Ask the people who run this site, or someone else who uses it, before you go on. What you typed stays here.',
      confirm: 'Use the new keys',
      busy: 'Changing...',
      cancel: 'Not now',
    }}
    act={async () => forgetIssuerKeys()}
    onDone={() =>
      toast({ title: 'Your browser now uses the new keys', description: 'Please try again.' })
    }
  />
)
