/** Asks which company a thread is about. Load it with `lazyDialog`. */
import { useState } from 'react'
import type { OpenProps } from '../../../ui/lazy-component.tsx'
import { CompanyPicker, type PickedCompany } from '../../companies/ui/company-picker.tsx'
import { type PostQueries, rule } from '../ruling.data.ts'
import { RulingDialog } from './ruling-dialog.tsx'

export function MoveDialog({ open, onOpenChange, queries, company }: MoveDialogProps) {
  const [picked, setPicked] = useState<PickedCompany | null>(company)
  return (
    <RulingDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Move this thread"
      description="To the company that it is about, or to none. Its author is told."
      submitLabel="Move thread"
      check={() =>
        picked?.id === company?.id
          ? { form: company ? `It is about ${company.name} already` : 'It is about none already' }
          : {}
      }
      send={() =>
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
    </RulingDialog>
  )
}

type MoveDialogProps = OpenProps & { queries: PostQueries; company: PickedCompany | null }
