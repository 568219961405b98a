/** A part of a page, as the server renders it. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { ApiProvider } from '#app/api/client.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { ReachProvider, SiteProvider } from '#app/kit/session/site.tsx'
import { ServerAddress } from '#app/kit/ui/address.ts'
import { reachOf } from '#app/routes.ts'
import { ALL_ON } from './api.ts'

const site = {
  siteName: 'Samovar',
  siteUrl: 'https://samovar.example',
  flags: ALL_ON,
} as SiteConfig

interface Surroundings {
  path?: string
  /** Without its question mark. */
  search?: string
  flags?: SiteConfig['flags']
  /** A client with preloaded responses. */
  queryClient?: QueryClient
}

export function rendered(
  part: ReactNode,
  { path = '/', search = '', flags = ALL_ON, queryClient = new QueryClient() }: Surroundings = {},
) {
  const html = renderToString(
    <QueryClientProvider client={queryClient}>
      <ApiProvider value={(async () => ({})) as never}>
        <SiteProvider value={{ ...site, flags }}>
          <ReachProvider value={reachOf(flags)}>
            <ServerAddress value={{ path, search }}>{part}</ServerAddress>
          </ReachProvider>
        </SiteProvider>
      </ApiProvider>
    </QueryClientProvider>,
  )
  return html.replaceAll('&#x27;', "'")
}
