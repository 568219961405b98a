/** Asks before something is done to an account; a deletion wants the username typed. Load it with `openable`. */
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useApi } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OpenProps } from '../../../ui/openable.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { UNNAMED } from '../../accounts/account.ts'
import { FormError } from '../../accounts/ui/form-error.tsx'
import { refusalOf } from '../../accounts/ui/refusal.ts'
import type { AdministrationContract, User } from '../administration.contract.ts'
import { actOnAccount } from '../administration.data.ts'
import { USER_ACT_WORDS, type UserAct } from '../administration.ts'

export function UserActDialog({ open, onOpenChange, user, act, onGone }: UserActDialogProps) {
  const api = useApi<AdministrationContract>()
  const queryClient = useQueryClient()
  const formId = useId()
  const [confirmation, setConfirmation] = useState('')
  const name = user.username ?? UNNAMED
  const words = USER_ACT_WORDS[act]
  const isDeletion = act === 'delete'
  const { form, errors, isBusy } = useForm<'confirmation'>({
    check: () => ({
      confirmation:
        isDeletion && confirmation.trim() !== name
          ? `Type ${name}, just as it stands here`
          : undefined,
    }),
    send: async () => {
      try {
        await actOnAccount({ api, queryClient }, { handle: user.handle, act, confirmation })
      } catch (error) {
        return { form: refusalOf(error) }
      }
      onOpenChange(false)
      toast({ title: words.done(name) })
      if (isDeletion) onGone()
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={words.title(name)}
      description={words.text}
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant={isDeletion || act === 'suspend' ? 'danger' : 'primary'}
            busy={isBusy}
            busyLabel={words.busy}
          >
            {words.confirm}
          </Button>
        </>
      }
    >
      <form id={formId} {...form} className="grid gap-5">
        <FormError>{errors.form}</FormError>
        {isDeletion && (
          <TextField
            label={
              <>
                Type <strong className="font-semibold">{name}</strong> to confirm
              </>
            }
            name="confirmation"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={confirmation}
            onChange={(event) => setConfirmation(event.target.value)}
            error={errors.confirmation}
          />
        )}
      </form>
    </Dialog>
  )
}

type UserActDialogProps = OpenProps & {
  user: User
  act: UserAct
  /** The row is about to go, and the focus with it. */
  onGone: () => void
}
