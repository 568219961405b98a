import { BellPlus } from 'lucide'
import { useState } from 'react'
import { reportError } from '#app/kit/forms/refusal.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { JobFilters } from '../../job.ts'
import { useSavedJobQueries } from '../../saved/saved-jobs.data.ts'

/** Creates an alert from the list's filters. Alerts don't use order and age. */
export function CreateJobAlert({ filters }: { filters: JobFilters }) {
  const { queries, isKnown } = useSavedJobQueries()
  const { flags } = useSite()
  const [isBusy, setBusy] = useState(false)
  const create = async () => {
    setBusy(true)
    // Lazy, because most readers never create one.
    await import('./job-alert-creation.ts')
      .then(({ createAlertOf }) => createAlertOf(filters, queries, flags))
      .catch(reportError('Couldn’t create the alert'))
    setBusy(false)
  }
  return (
    <Button
      variant="secondary"
      // A disabled button would lose the focus when pressed.
      aria-disabled={!isKnown || isBusy || undefined}
      aria-busy={isBusy || undefined}
      icon={<Icon of={BellPlus} />}
      className="aria-disabled:opacity-100 no-js:hidden"
      onClick={() => {
        if (isKnown && !isBusy) create()
      }}
    >
      Create alert
    </Button>
  )
}
