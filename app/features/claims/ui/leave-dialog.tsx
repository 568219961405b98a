/** Asks before somebody stops acting for a company. Load it with `openable`. */
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useApi } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OpenProps } from '../../../ui/openable.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { FormError } from '../../accounts/ui/form-error.tsx'
import { refusalOf } from '../../accounts/ui/refusal.ts'
import type { ClaimContract, MyClaim } from '../claim.contract.ts'
import { withdrawClaim } from '../claim.data.ts'
import { CLAIM_TOASTS, LEAVE_WORDS } from '../claim.ts'

export function LeaveDialog({ open, onOpenChange, claim, onGone }: LeaveDialogProps) {
  const desk = { api: useApi<ClaimContract>(), queryClient: useQueryClient() }
  const formId = useId()
  const { name } = claim.company
  const { form, errors, isBusy } = useForm({
    send: async () => {
      try {
        await withdrawClaim(desk, claim.id)
      } catch (error) {
        return { form: refusalOf(error) }
      }
      onOpenChange(false)
      toast(CLAIM_TOASTS.left(name))
      onGone()
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={LEAVE_WORDS.title(name)}
      description={LEAVE_WORDS.text}
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="danger"
            busy={isBusy}
            busyLabel={LEAVE_WORDS.busy}
          >
            {LEAVE_WORDS.confirm}
          </Button>
        </>
      }
    >
      <form id={formId} {...form}>
        <FormError>{errors.form}</FormError>
      </form>
    </Dialog>
  )
}

type LeaveDialogProps = OpenProps & { claim: MyClaim; onGone: () => void }
