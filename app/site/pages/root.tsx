/** Everything inside `<body>`: providers, layout and the current screen. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Component, type ReactNode, Suspense, useEffect, useState } from 'react'
import { ApiProvider, type Client } from '#app/api/client.ts'
import type { Contract } from '#app/api/contract.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { UnveilWhenKnown } from '#app/kit/session/session.data.ts'
import { ReachProvider, SiteProvider, useSite } from '#app/kit/session/site.tsx'
import { type PageAddress, ServerAddress, useAddress } from '#app/kit/ui/address.ts'
import { replayEarlyInput } from '#app/kit/ui/early-input.ts'
import { LoadError } from '#app/kit/ui/message.tsx'
import { Spinner } from '#app/kit/ui/skeleton.tsx'
import { NOWHERE, reachOf, routeOf } from '#app/routes.ts'
import { Layout } from '../layout/ui/layout.tsx'
import type { AppClient } from './app-client.ts'
import { loadedScreen, loadScreen, queryOf, type Route } from './route.ts'

/** The path where the server found nothing, so the browser doesn't fetch it again. */
export interface Missing {
  path: string
  /** Why, if there is more to say than "not found". */
  sentence?: string
}

interface RootProps {
  api: AppClient
  queryClient: QueryClient
  site: SiteConfig
  missing?: Missing
  /** What the server rendered. While the browser hydrates, its own address may already be another. */
  ssrAddress?: PageAddress
}

export function Root({ api, site, queryClient, missing, ssrAddress }: RootProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <ApiProvider value={api as unknown as Client<Contract>}>
        <ServerAddress value={ssrAddress}>
          <SiteProvider value={site}>
            <ReachProvider value={reachOf(site.flags)}>
              <Layout>
                <CurrentScreen missing={missing} />
              </Layout>
            </ReachProvider>
          </SiteProvider>
        </ServerAddress>
      </ApiProvider>
    </QueryClientProvider>
  )
}

function CurrentScreen({ missing }: { missing?: Missing }) {
  const { path } = useAddress()
  const { flags } = useSite()
  const isMissing = path === missing?.path
  const found = isMissing ? undefined : routeOf(path, flags)
  if (!found) {
    const sentence = isMissing ? (missing.sentence ?? '') : ''
    return <RouteScreen key={path} route={NOWHERE} params={{ sentence }} />
  }
  return (
    <RoutingErrors key={path}>
      <RouteScreen route={found.route} params={found.params} />
    </RoutingErrors>
  )
}

/** Screens load on demand with a "Loading..." placeholder. Spec §2.1. */
function RouteScreen({ route, params }: { route: Route; params: Record<string, string> }) {
  const [hasFailed, setFailed] = useState(false)
  const [, setLoaded] = useState(0)
  const { search } = useAddress()
  const { flags } = useSite()
  const [Screen, Tab] = loadedScreen(route, { query: queryOf(search), flags })
  const isHere = Screen && (Tab || !route.tab)
  useEffect(() => {
    if (isHere || hasFailed) return
    loadScreen(route, { query: queryOf(search), flags }).then(
      () => setLoaded((times) => times + 1),
      () => setFailed(true),
    )
  }, [isHere, route, search, flags, hasFailed])
  if (Screen && (isHere || !hasFailed))
    return (
      <Suspense fallback={<Loading />}>
        <Screen {...params} Tab={Tab} />
        <Alive />
      </Suspense>
    )
  if (!hasFailed) return <Loading />
  return (
    <LoadError
      isPage
      text="This page didn’t load. Check your connection and try again."
      onRetry={() => setFailed(false)}
    />
  )
}

/** Next to the screen, so both hydrate together. The mark on <html> is for styles and tests. */
function Alive() {
  useEffect(() => {
    document.documentElement.classList.add('alive')
    // Runs after the effects of components that read the session.
    const timer = setTimeout(replayEarlyInput)
    return () => clearTimeout(timer)
  }, [])
  return <UnveilWhenKnown />
}

function Loading() {
  return (
    <p role="status" className="m-auto flex items-center gap-3 py-24 text-ink-faint">
      <Spinner label="" className="size-5" />
      Loading...
    </p>
  )
}

/** Routing errors show the not-found page (Spec §2.1) and are logged to the console. */
class RoutingErrors extends Component<{ children: ReactNode }> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override render() {
    return this.state.failed ? <RouteScreen route={NOWHERE} params={{}} /> : this.props.children
  }
}
