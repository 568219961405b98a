import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { toast } from '#app/kit/ui/toast.ts'
import type { JobFilters } from '../../job.ts'
import { createJobAlert, type SavedJobQueries } from '../../saved/saved-jobs.data.ts'
import { ALERT_REFUSALS, hasWishes, tidyWishes, wishesText } from '../job-alert.ts'

/** @throws ApiError */
export async function createAlertOf(
  filters: JobFilters,
  queries: SavedJobQueries,
  flags: SiteConfig['flags'],
) {
  if (!hasWishes(filters)) {
    toast({ id: 'job-alert', title: 'Alert for what?', description: ALERT_REFUSALS.noFilters })
    return
  }
  const wishes = tidyWishes(filters)
  await createJobAlert(queries, wishes)
  toast({
    id: 'job-alert',
    title: 'Alert created',
    description: `${wishesText(wishes, 'this company')}. New matches show up in Notifications.`,
    action: flags.enableAlerts
      ? { label: 'See alerts', onPress: () => navigate('/alerts') }
      : undefined,
  })
}
