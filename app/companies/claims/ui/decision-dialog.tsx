import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import { NoteField } from '#app/kit/forms/act-fields.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { noteProblem } from '#app/kit/writing/text.ts'
import type { ClaimContract, ReviewedClaim } from '../claim.contract.ts'
import { CLAIM_ANSWER_MAX, type ClaimDecision } from '../claim.ts'
import { decideOnClaim } from '../claim-actions.data.ts'

const DECISION_TEXTS: Record<
  ClaimDecision,
  {
    title: (company: string) => string
    text: string
    confirm: string
    busy: string
    done: (company: string) => string
  }
> = {
  approve: {
    title: (company) => `Let this person act for ${company}?`,
    text: 'They’ll get an email and can reply as the company. They’ll own its seats, or get one if someone already owns them.',
    confirm: 'Approve',
    busy: 'Approving...',
    done: (company) => `Approved for ${company}`,
  },
  decline: {
    title: (company) => `Decline this claim on ${company}?`,
    text: 'They’ll get an email and can claim again.',
    confirm: 'Decline',
    busy: 'Declining...',
    done: (company) => `Declined for ${company}`,
  },
  revoke: {
    title: (company) => `Revoke the right to act for ${company}?`,
    text: 'They lose access right away and get an email. If they own the seats, everyone else loses access too. The company’s jobs close. What they wrote for it stays.',
    confirm: 'Revoke',
    busy: 'Revoking...',
    done: (company) => `Revoked for ${company}`,
  },
}

export function DecisionDialog(props: DecisionDialogProps) {
  const { open, onOpenChange, claim, decision, onDecided } = props
  const queries = { api: useApi<ClaimContract>(), queryClient: useQueryClient() }
  const [note, setNote] = useState('')
  const texts = DECISION_TEXTS[decision]
  const { name } = claim.company
  return (
    <ActDialog<'note'>
      open={open}
      onOpenChange={onOpenChange}
      title={texts.title(name)}
      texts={texts}
      variant={decision === 'approve' ? 'primary' : 'danger'}
      check={() => ({ note: noteProblem(note, CLAIM_ANSWER_MAX) })}
      act={() => decideOnClaim(queries, decision, claim.id, note)}
      onDone={() => {
        toast({ title: texts.done(name) })
        onDecided()
      }}
    >
      {(errors) =>
        decision === 'decline' && (
          <NoteField
            label="Note to the person (optional)"
            hint="Shown in the email and in their settings."
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
