/** Asks before a claim is decided; who declines may say why. Load it with `openable`. */
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useApi } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OpenProps } from '../../../ui/openable.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { FormError } from '../../accounts/ui/form-error.tsx'
import { refusalOf } from '../../accounts/ui/refusal.ts'
import { NoteField } from '../../moderation/ui/note-field.tsx'
import type { ClaimContract, ReviewedClaim } from '../claim.contract.ts'
import { decideOnClaim } from '../claim.data.ts'
import {
  CLAIM_ANSWER_MAX,
  type ClaimDecision,
  DECISION_WORDS,
  DECLINE_NOTE,
  noteProblem,
  tidyNote,
} from '../claim.ts'

export function DecisionDialog({
  open,
  onOpenChange,
  claim,
  decision,
  onDecided,
}: DecisionDialogProps) {
  const desk = { api: useApi<ClaimContract>(), queryClient: useQueryClient() }
  const formId = useId()
  const [note, setNote] = useState('')
  const words = DECISION_WORDS[decision]
  const { name } = claim.company
  const { form, errors, isBusy } = useForm<'note'>({
    check: () => ({ note: noteProblem(tidyNote(note), CLAIM_ANSWER_MAX) }),
    send: async () => {
      try {
        await decideOnClaim(desk, decision, claim.id, note)
      } catch (error) {
        return { form: refusalOf(error) }
      }
      onOpenChange(false)
      toast({ title: words.done(name) })
      onDecided()
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
            variant={decision === 'approve' ? 'primary' : 'danger'}
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
        {decision === 'decline' && (
          <NoteField
            label={DECLINE_NOTE.label}
            hint={DECLINE_NOTE.hint}
            note={note}
            onChange={setNote}
            max={CLAIM_ANSWER_MAX}
            error={errors.note}
          />
        )}
      </form>
    </Dialog>
  )
}

type DecisionDialogProps = OpenProps & {
  claim: ReviewedClaim
  decision: ClaimDecision
  onDecided: () => void
}
