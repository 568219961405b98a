import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import { NoteField } from '#app/kit/forms/act-fields.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { ClaimContract, ReviewedClaim } from '../claim.contract.ts'
import { CLAIM_ANSWER_MAX, type ClaimDecision, noteProblem, tidyNote } from '../claim.ts'
import { decideOnClaim } from '../claim-actions.data.ts'
import { DECISION_WORDS, DECLINE_NOTE } from '../claim-texts.ts'

export function DecisionDialog(props: DecisionDialogProps) {
  const { open, onOpenChange, claim, decision, onDecided } = props
  const queries = { api: useApi<ClaimContract>(), queryClient: useQueryClient() }
  const [note, setNote] = useState('')
  const words = DECISION_WORDS[decision]
  const { name } = claim.company
  return (
    <ActDialog<'note'>
      open={open}
      onOpenChange={onOpenChange}
      title={words.title(name)}
      words={words}
      variant={decision === 'approve' ? 'primary' : 'danger'}
      check={() => ({ note: noteProblem(tidyNote(note), CLAIM_ANSWER_MAX) })}
      act={() => decideOnClaim(queries, decision, claim.id, note)}
      onDone={() => {
        toast({ title: words.done(name) })
        onDecided()
      }}
    >
      {(errors) =>
        decision === 'decline' && (
          <NoteField
            label={DECLINE_NOTE.label}
            hint={DECLINE_NOTE.hint}
            note={note}
            onChange={setNote}
            max={CLAIM_ANSWER_MAX}
            error={errors.note}
          />
        )
      }
    </ActDialog>
  )
}

type DecisionDialogProps = OpenProps & {
  claim: ReviewedClaim
  decision: ClaimDecision
  onDecided: () => void
}
