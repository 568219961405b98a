/** Shows what a scanned code brought before it replaces anything. Load it with `lazyDialog`. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { dialogButtonsClasses } from '#app/kit/ui/class-names.ts'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { CredentialContract } from '../credential.contract.ts'
import { acceptHandover } from '../handover.data.ts'
import { useHolder } from '../holder.data.ts'
import { SecretElsewhere, secretProblem } from '../issuing-problem.data.ts'
import type { Handover } from '../own-credential.data.ts'
import { useSubmissions } from '../rated.data.ts'
import { NewKeysDialog } from './new-keys-dialog.tsx'
import { OwnSecret } from './restore-secret-dialog.tsx'

export function HandoverDialog({ open, onOpenChange, handover, onBrought }: HandoverDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Bring your ratings to this device?"
      description="Your other device sent them. You can then see, change and remove them on both."
    >
      {handover && (
        <Moved handover={handover} onClose={() => onOpenChange(false)} onBrought={onBrought} />
      )}
    </Dialog>
  )
}

function Moved({ handover, onClose, onBrought }: MovedProps) {
  const queryClient = useQueryClient()
  const api = useApi<CredentialContract>()
  const sessionKey = useSessionKey()
  const holder = useHolder(sessionKey)
  const submissions = useSubmissions(sessionKey)
  // The state when it opened, because after restoring there's nothing left to decide.
  const [own] = useState({
    isOther: holder !== null && holder.m1 !== handover.m1,
    names: [...new Set(Object.values(submissions).map(({ name }) => name))],
  })
  const [keysError, setKeysError] = useState<unknown>()
  const { form, errors, isBusy } = useForm({
    send: async () => {
      try {
        await acceptHandover(api, sessionKey, handover)
      } catch (error) {
        setKeysError(error)
        return { form: error instanceof SecretElsewhere ? OTHER_ACCOUNT : secretProblem(error) }
      }
      await queryClient.invalidateQueries({ queryKey: [MY_KEY] })
      onClose()
      toast({ title: 'Your ratings are now on this device' })
      onBrought()
    },
  })
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      {handover.rated.length > 0 && (
        <ul aria-label="Ratings from your other device" className="grid gap-1 text-sm text-ink">
          {handover.rated.map(({ id, name }) => (
            <li key={id} dir="auto">
              {name}
            </li>
          ))}
        </ul>
      )}
      {own.isOther && <OwnSecret names={own.names} />}
      <div className={dialogButtonsClasses}>
        <CancelButton onCancel={onClose}>{own.isOther ? 'Keep it' : 'Cancel'}</CancelButton>
        <Button type="submit" busy={isBusy} busyLabel="Opening...">
          {own.isOther ? 'Replace it' : 'Bring them over'}
        </Button>
      </div>
      <NewKeysDialog error={keysError} onClose={() => setKeysError(undefined)} />
    </form>
  )
}

const OTHER_ACCOUNT =
  'These ratings belong to another account, or you started over since. Log in with the account you rated with.'

interface MovedProps {
  handover: Handover
  onClose: () => void
  onBrought: () => void
}

type HandoverDialogProps = OpenProps &
  Omit<MovedProps, 'handover' | 'onClose'> & { handover: Handover | null }
