import { useQueries } from '@tanstack/react-query'
import { ownRatingQuery, useWhose } from './own-rating.data.ts'

/** Companies with the numbers that the person at this browser sees. */
export function useWithOwnRatings<Company extends { id: string }>(
  companies: readonly Company[],
): Company[] {
  const { mayAsk, who } = useWhose()
  const own = useQueries({
    queries: companies.map(({ id }) => ({
      ...ownRatingQuery(id, who),
      enabled: mayAsk(id),
    })),
  })
  return companies.map((company, i) => ({
    ...company,
    ...(mayAsk(company.id) && own[i]?.data?.numbers),
  }))
}
