/** How administrators merge a company into another. */
import { Merge } from 'lucide'
import { useState } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { ABOUT_MERGING } from '../merging.ts'

const MergeDialog = lazyDialog(() => import('./merge-dialog.tsx').then((it) => it.MergeDialog))

interface CompanyProps {
  company: { id: string; name: string }
}

/** The section on the company's edit page. */
export const CompanyMerge = ({ company }: CompanyProps) => (
  <section aria-labelledby="company-merge" className="border-t border-line pt-8">
    <h2 id="company-merge" className="text-sm font-semibold">
      Merge this company
    </h2>
    <p className="mt-1 mb-3 max-w-prose text-sm leading-6 text-ink-soft">{ABOUT_MERGING}</p>
    <MergeButton company={company} variant="secondary" />
  </section>
)

/** The button on the company's page. */
export function MergeButton({
  company,
  variant = 'ghost',
}: CompanyProps & { variant?: 'ghost' | 'secondary' }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size={variant === 'ghost' ? undefined : 'sm'}
        variant={variant}
        icon={<Icon of={Merge} />}
        {...MergeDialog.preload}
        onClick={() => setOpen(true)}
      >
        Merge into…
      </Button>
      <MergeDialog open={isOpen} onOpenChange={setOpen} company={company} />
    </>
  )
}
