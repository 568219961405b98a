/** The way to delete a company: quiet, at the end of its page of changes, for administrators only. */
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { openable } from '../../../ui/openable.tsx'
import { DELETION_WORDS } from '../company-deletion.ts'

const CompanyDeletionDialog = openable(() =>
  import('./company-deletion-dialog.tsx').then((it) => it.CompanyDeletionDialog),
)

export function CompanyDeletion({ company }: { company: { id: string; name: string } }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-labelledby="company-deletion" className="border-t border-line pt-8">
      <h2 id="company-deletion" className="text-sm font-semibold">
        {DELETION_WORDS.heading}
      </h2>
      <p className="mt-1 max-w-prose text-sm leading-6 text-ink-soft">{DELETION_WORDS.hint}</p>
      <Button
        size="sm"
        variant="secondary"
        className="mt-3"
        {...CompanyDeletionDialog.warm}
        onClick={() => setOpen(true)}
      >
        {DELETION_WORDS.button}
      </Button>
      <CompanyDeletionDialog open={isOpen} onOpenChange={setOpen} company={company} />
    </section>
  )
}
