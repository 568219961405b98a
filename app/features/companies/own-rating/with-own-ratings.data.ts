import { useQueries } from '@tanstack/react-query'
import { useApi } from '../../../api/client.ts'
import { useSession, useSessionKey } from '../../../session/session.data.ts'
import type { OwnRatingContract } from './own-rating.contract.ts'
import { ownRatingQuery } from './own-rating.data.ts'

/** Companies with the numbers that the person at this browser sees. */
export function useWithOwnRatings<Company extends { id: string }>(
  companies: readonly Company[],
): Company[] {
  const api = useApi<OwnRatingContract>()
  const who = useSessionKey()
  const enabled = useSession().status === 'signed-in'
  const own = useQueries({
    queries: companies.map(({ id }) => ({ ...ownRatingQuery(api, id, who), enabled })),
  })
  return companies.map((company, i) => ({ ...company, ...own[i]?.data?.numbers }))
}
