/** Which static page belongs to a URL, and how to load it. */
import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { StaticPageContract } from './static-page.contract.ts'

/** Spec §2.1. */
const SECOND_ADDRESSES: Record<string, string> = {
  '/about-us': '/about',
  '/privacy-policy': '/privacy',
  '/terms-of-service': '/terms',
}

/** The URL under which search engines know an address's page. */
export const firstAddress = (path: string) => SECOND_ADDRESSES[path] ?? path

export const staticPageQuery = (api: Client<StaticPageContract>, path: string) => {
  const page = firstAddress(path).slice(1)
  return queryOptions({
    queryKey: ['static-page', page],
    queryFn: () => api('GET /api/v1/static-pages/{page}', { params: { page } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
