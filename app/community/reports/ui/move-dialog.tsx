/** Asks which company a thread is about. Load it with `lazyDialog`. */
import { useState } from 'react'
import { CompanyPicker, type PickedCompany } from '#app/companies/ui/company-picker.tsx'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { type PostQueries, rule } from '../ruling.data.ts'

export function MoveDialog({ open, onOpenChange, queries, company }: MoveDialogProps) {
  const [picked, setPicked] = useState<PickedCompany | null>(company)
  return (
    <ActDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Move this thread"
      words={{
        text: 'To the company that it is about, or to none. Its author is told.',
        confirm: 'Move thread',
        busy: 'Sending...',
      }}
      variant="primary"
      check={() =>
        picked?.id === company?.id
          ? { form: company ? `It is about ${company.name} already` : 'It is about none already' }
          : {}
      }
      act={() =>
        rule(
          queries,
          picked ? `Moved to ${picked.name}` : 'It is about no company now',
          (api, { id }) =>
            api('POST /api/v1/moderation/threads/{id}/move', {
              params: { id },
              body: { companyId: picked?.id ?? null },
            }),
        )
      }
    >
      {() => (
        // The list of companies hangs below its box: it needs the room.
        <div className="min-h-72">
          <CompanyPicker company={picked} isLoading={false} onPick={setPicked} />
        </div>
      )}
    </ActDialog>
  )
}

type MoveDialogProps = OpenProps & { queries: PostQueries; company: PickedCompany | null }
