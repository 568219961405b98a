import { useQueries } from '@tanstack/react-query'
import { useApi } from '../../../api/client.ts'
import type { OwnRatingContract } from './own-rating.contract.ts'
import { ownRatingQuery, useWhose } from './own-rating.data.ts'

/** Companies with the numbers that the person at this browser sees. */
export function useWithOwnRatings<Company extends { id: string }>(
  companies: readonly Company[],
): Company[] {
  const api = useApi<OwnRatingContract>()
  const { mayAsk, ...whose } = useWhose()
  const own = useQueries({
    queries: companies.map(({ id }) => ({
      ...ownRatingQuery(api, id, whose),
      enabled: mayAsk(id),
    })),
  })
  return companies.map((company, i) => ({
    ...company,
    ...(mayAsk(company.id) && own[i]?.data?.numbers),
  }))
}
