/** Asks before somebody stops acting for a company. Load it with `lazyDialog`. */
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../api/client.ts'
import { ActDialog } from '../../../forms/act-dialog.tsx'
import type { OpenProps } from '../../../ui/lazy-component.tsx'
import { toast } from '../../../ui/toast.ts'
import type { ClaimContract, MyClaim } from '../claim.contract.ts'
import { withdrawClaim } from '../claim-actions.data.ts'
import { CLAIM_TOASTS, LEAVE_WORDS } from '../claim-texts.ts'

export function LeaveDialog({ open, onOpenChange, claim, onGone }: LeaveDialogProps) {
  const queries = { api: useApi<ClaimContract>(), queryClient: useQueryClient() }
  const { name } = claim.company
  return (
    <ActDialog
      open={open}
      onOpenChange={onOpenChange}
      title={LEAVE_WORDS.title(name)}
      words={LEAVE_WORDS}
      act={() => withdrawClaim(queries, claim.id)}
      onDone={() => {
        toast(CLAIM_TOASTS.left(name))
        onGone()
      }}
    />
  )
}

type LeaveDialogProps = OpenProps & { claim: MyClaim; onGone: () => void }
