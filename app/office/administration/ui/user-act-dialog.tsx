/** A deletion requires the typed username. Load it with `lazyDialog`. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { UNNAMED } from '#app/identity/accounts/account.ts'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import { TypedNameField, typedNameProblem } from '#app/kit/forms/act-fields.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { AdministrationContract, User } from '../administration.contract.ts'
import { actOnAccount } from '../administration.data.ts'
import { USER_ACT_TEXTS, type UserAct } from '../administration.ts'

export function UserActDialog({ open, onOpenChange, user, act, onGone }: UserActDialogProps) {
  const api = useApi<AdministrationContract>()
  const queryClient = useQueryClient()
  const [confirmation, setConfirmation] = useState('')
  const name = user.username ?? UNNAMED
  const texts = USER_ACT_TEXTS[act]
  const isDeletion = act === 'delete'
  return (
    <ActDialog<'confirmation'>
      open={open}
      onOpenChange={onOpenChange}
      title={texts.title(name)}
      texts={texts}
      variant={isDeletion || act === 'suspend' ? 'danger' : 'primary'}
      check={() => ({
        confirmation: isDeletion ? typedNameProblem(confirmation, name) : undefined,
      })}
      act={() => actOnAccount({ api, queryClient }, { handle: user.handle, act, confirmation })}
      onDone={() => {
        toast({ title: texts.done(name) })
        if (isDeletion) onGone()
      }}
    >
      {(errors) =>
        isDeletion && (
          <TypedNameField
            name={name}
            value={confirmation}
            onChange={setConfirmation}
            error={errors.confirmation}
          />
        )
      }
    </ActDialog>
  )
}

type UserActDialogProps = OpenProps & {
  user: User
  act: UserAct
  /** Called before the row disappears, along with the focus. */
  onGone: () => void
}
