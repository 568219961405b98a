import { useState } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'

const CompanyDeletionDialog = lazyDialog(() =>
  import('./company-deletion-dialog.tsx').then((it) => it.CompanyDeletionDialog),
)

export function CompanyDeletion({ company }: { company: { id: string; name: string } }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-labelledby="company-deletion" className="border-t border-line pt-8">
      <h2 id="company-deletion" className="text-sm font-semibold">
        Delete this company
      </h2>
      <p className="mt-1 max-w-prose text-sm leading-6 text-ink-soft">
        For companies that shouldn’t be here at all.
      </p>
      <Button
        size="sm"
        variant="secondary"
        className="mt-3"
        {...CompanyDeletionDialog.preload}
        onClick={() => setOpen(true)}
      >
        Delete company
      </Button>
      <CompanyDeletionDialog open={isOpen} onOpenChange={setOpen} company={company} />
    </section>
  )
}
