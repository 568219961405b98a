/** What moderators removed, for everyone: months, reasons and numbers, no texts. */
import { useState } from 'react'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'

const Removed = lazyComponent(() => import('./removed.tsx').then((it) => it.Removed))

/** About a company, or about none. Loads when opened. */
export function CompanyRemovals({ companyId }: { companyId?: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="group mt-8 text-sm no-js:hidden"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="inline-flex min-h-10 items-center gap-2 rounded-md text-ink-faint hover:text-ink [&::-webkit-details-marker]:hidden">
        <span aria-hidden="true" className="transition-transform group-open:rotate-90">
          ›
        </span>
        What moderators removed
      </summary>
      <div className="mt-1 max-w-xl" aria-live="polite">
        {isOpen && <Removed companyId={companyId} />}
      </div>
    </details>
  )
}
