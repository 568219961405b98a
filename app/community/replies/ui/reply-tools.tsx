import { Pencil, Trash2 } from 'lucide'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { reportError } from '#app/kit/forms/refusal.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { CompanyReplyContract } from '../reply.contract.ts'
import { removeCompanyReply } from '../reply.data.ts'

export function ReplyTools({ replyId, onEdit, onRemoved }: ReplyToolsProps) {
  const api = useApi<CompanyReplyContract>()
  const [isAsked, setAsked] = useState(false)
  const remove = async () => {
    try {
      await removeCompanyReply(api, replyId)
    } catch (error) {
      return reportError('Couldn’t remove the reply')(error)
    }
    await onRemoved?.()
    toast({ title: 'Reply removed' })
  }
  return (
    <>
      <p className="mt-2 -ml-3 flex flex-wrap gap-x-1">
        {onEdit && (
          <Button variant="ghost" size="sm" icon={<Icon of={Pencil} />} onClick={onEdit}>
            Edit
            <span className="sr-only"> this reply</span>
          </Button>
        )}
        {onRemoved && (
          <Button
            variant="ghost"
            size="sm"
            icon={<Icon of={Trash2} />}
            {...ConfirmDialog.preload}
            onClick={() => setAsked(true)}
          >
            Remove
            <span className="sr-only"> this reply</span>
          </Button>
        )}
      </p>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title="Remove this reply?"
        texts={{
          text: 'This permanently deletes the reply and its history.',
          confirm: 'Remove reply',
          busy: 'Removing...',
          cancel: 'Keep it',
        }}
        act={remove}
      />
    </>
  )
}

export interface ReplyToolsProps {
  replyId: string
  onEdit: (() => void) | undefined
  onRemoved: (() => Promise<void>) | undefined
}
