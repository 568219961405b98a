/** The site's own settings in the browser: they come with every page and never change meanwhile. */
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { type Client, useApi } from '../../api/client.ts'
import type { SiteConfig, SiteContract } from './site.contract.ts'

export const siteQuery = (api: Client<SiteContract>) =>
  queryOptions({
    queryKey: ['config'],
    queryFn: () => api('GET /api/v1/config'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

/** Name, address and flags of this site. Every page carries them, so it never waits. */
export const useSite = (): SiteConfig => useSuspenseQuery(siteQuery(useApi<SiteContract>())).data
