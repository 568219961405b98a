/** Load it with `lazyDialog`. */
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
        text: 'Pick the company it’s about, or none. We’ll tell its author.',
        confirm: 'Move thread',
        busy: 'Sending...',
      }}
      variant="primary"
      check={() =>
        picked?.id === company?.id
          ? {
              form: company
                ? `It’s already about ${company.name}`
                : 'It’s already about no company',
            }
          : {}
      }
      act={() =>
        rule(
          queries,
          picked ? `Moved to ${picked.name}` : 'It’s now about no company',
          (api, { id }) =>
            api('POST /api/v1/moderation/threads/{id}/move', {
              params: { id },
              body: { companyId: picked?.id ?? null },
            }),
        )
      }
    >
      {() => (
        // Room for the list of companies that drops from the box.
        <div className="min-h-72">
          <CompanyPicker company={picked} isLoading={false} onPick={setPicked} />
        </div>
      )}
    </ActDialog>
  )
}

type MoveDialogProps = OpenProps & { queries: PostQueries; company: PickedCompany | null }
