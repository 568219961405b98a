/** Visitors can report, too. Load this with `lazyDialog`. */
import { useId, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { NoteField } from '#app/kit/forms/act-fields.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { noteProblem } from '#app/kit/writing/text.ts'
import type { ReportContract } from '../report.contract.ts'
import { type Post, reportPost } from '../report.data.ts'
import { postName, REPORT_NOTE_MAX } from '../report.ts'
import { ReasonChoices } from './reason-choices.tsx'

export function ReportDialog({ open, onOpenChange, post, send }: ReportDialogProps) {
  const api = useApi<ReportContract>()
  const formId = useId()
  const [reason, setReason] = useState<Reason>()
  const [note, setNote] = useState('')
  const { form, errors, isBusy } = useForm<'reason' | 'note'>({
    check: () => ({
      reason: reason ? undefined : 'Please choose what’s wrong',
      note: noteProblem(note, REPORT_NOTE_MAX),
    }),
    send: async () => {
      if (!reason) return
      await (send ? send({ reason, note }) : reportPost(api, post, { reason, note }))
      onOpenChange(false)
      setReason(undefined)
      setNote('')
      toast({ title: 'Thank you. Moderators will review it.' })
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="md"
      title={`Report this ${postName(post.kind)}`}
      description="No one finds out who reported it. Not its author, not the moderators."
      footer={
        <>
          <CancelButton onCancel={() => onOpenChange(false)} />
          <Button type="submit" form={formId} busy={isBusy} busyLabel="Sending...">
            Send report
          </Button>
        </>
      }
    >
      <form id={formId} {...form} className="grid gap-5">
        <FormError>{errors.form}</FormError>
        <ReasonChoices
          legend="What’s wrong with it?"
          reason={reason}
          onChoose={setReason}
          hasHints
          error={errors.reason}
        />
        <NoteField
          label="What moderators should know (optional)"
          hint="Moderators will read this, so don’t say who you are."
          note={note}
          onChange={setNote}
          max={REPORT_NOTE_MAX}
        />
      </form>
    </Dialog>
  )
}

interface ReportDialogProps extends OpenProps {
  post: Post
  send?: (report: { reason: Reason; note: string }) => Promise<unknown>
}
