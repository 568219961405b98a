/** The button that makes an alert of a narrowed list of jobs. */
import { BellPlus } from 'lucide'
import { useState } from 'react'
import { reportError } from '#app/kit/forms/refusal.ts'
import { useSite } from '#app/kit/session/site.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { useSavedJobQueries } from '../../saved/ui/use-saved-job-queries.ts'
import type { JobWishes } from '../job-alert.ts'

/** Waits for jobs like those that the list shows. Order and age of a list are no wishes. */
export function CreateJobAlert({ filters }: { filters: JobWishes }) {
  const { queries, isKnown } = useSavedJobQueries()
  const { flags } = useSite()
  const [isBusy, setBusy] = useState(false)
  const create = async () => {
    setBusy(true)
    // Most readers of a list make none.
    await import('./job-alert-creation.ts')
      .then(({ createAlertOf }) => createAlertOf(filters, queries, flags))
      .catch(reportError('The alert was not created'))
    setBusy(false)
  }
  return (
    <Button
      variant="secondary"
      // Disabled it would lose the focus with its press.
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
