import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { ApiError, TRY_AGAIN } from '#app/api/client.ts'
import RoomScreen from '#app/community/rooms/room.screen.tsx'
import { companyQuery } from '#app/companies/company.data.ts'
import { rendered } from '#tests/support/rendered.tsx'
import { companyNamed } from '#tests/support/views.ts'
import CompanyScreen from './company.screen.tsx'

const slug = 'acme'
const acme = { ...companyNamed('Acme'), slug, similar: [], categoryRatings: {} }
const screens = [
  ['a company’s page', <CompanyScreen key="company" companySlug={slug} />],
  ['its room', <RoomScreen key="room" companySlug={slug} />],
] as const

/** @param known what was here before the server failed */
async function afterFailure(known?: typeof acme) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } })
  const query = companyQuery(vi.fn() as never, slug)
  if (known) queryClient.setQueryData(query.queryKey, known as never)
  const queryFn = () => Promise.reject(new ApiError(500, 'failed', 'Failed on our side'))
  await queryClient.prefetchQuery({ ...query, queryFn, retry: false })
  return queryClient
}

test.each(screens)('%s stays when it can’t be loaded again', async (_, screen) => {
  const html = rendered(screen, { queryClient: await afterFailure(acme) })
  expect(html).toContain('Acme')
  expect(html).not.toContain('Try Again')
})

test.each(screens)('%s that never loaded says so', async (_, screen) => {
  const html = rendered(screen, { queryClient: await afterFailure() })
  expect(html).toContain(TRY_AGAIN)
  expect(html).toContain('Try Again')
})
