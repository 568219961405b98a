/** View counts on cards, which only administrators see. Spec §2.6. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide'
import { type Client, useApi } from '#app/api/client.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { abbreviate, plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { TrackingContract } from '../tracking.contract.ts'

interface ViewCountProps {
  companyId: string
  /** The list's companies, a hundred at most, in one request. */
  among: { id: string }[]
}

export function ViewCount({ companyId, among }: ViewCountProps) {
  const api = useApi<TrackingContract>()
  const ids = among.map(({ id }) => id)
  const { data } = useQuery(companyViewsQuery(api, ids))
  const views = data?.views.find(({ id }) => id === companyId)?.views
  return views === undefined ? null : (
    <span className="inline-flex items-center gap-1.5 tabular-nums">
      <Icon of={Eye} className="size-4 text-ink-faint" />
      <span aria-hidden="true">{abbreviate(views)}</span>
      <span className="sr-only">{plural(views, 'view')}</span>
    </span>
  )
}

/** @param ids a hundred at most */
export const companyViewsQuery = (api: Client<TrackingContract>, ids: string[]) =>
  queryOptions({
    queryKey: [MY_KEY, 'company-views', ids],
    queryFn: () => api('GET /api/v1/company-views', { query: { ids: ids.join(',') } }),
    staleTime: 60_000,
  })
