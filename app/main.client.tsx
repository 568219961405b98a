/** Hydrates the server's page. */
import '#app/kit/ui/app.css'
import { QueryClient } from '@tanstack/react-query'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createClient, fetchTransport, QUERY_DEFAULTS } from '#app/api/client.ts'
import { authenticator, startSession, storedSession } from '#app/kit/session/session.data.ts'
import { listenToHistory } from '#app/kit/ui/address.ts'
import { followLinks, guardClicks } from '#app/kit/ui/page-clicks.ts'
import { listenForFinder } from '#app/site/layout/finder/finder.data.ts'
import { type AppContract, SHARED_ENDPOINTS } from '#app/site/pages/app-client.ts'
import { hydrateQueries, type PageState, prepare } from '#app/site/pages/prepare.ts'
import { Root } from '#app/site/pages/root.tsx'
import { loadScreen, queryOf } from '#app/site/pages/route.ts'
import { NOWHERE, routeOf } from './routes.ts'

const api = createClient<AppContract>(fetchTransport(authenticator), SHARED_ENDPOINTS)
/** Company queries: fresh 5 minutes, 2 retries, no refetch on window focus. Spec §9. */
const queryClient = new QueryClient({ defaultOptions: QUERY_DEFAULTS })

const loadMyPage = () => import('#app/site/pages/my-page.ts')

async function start() {
  const root = document.getElementById('root')
  const stateText = document.getElementById('page-state')?.textContent
  if (!root || !stateText) return
  const state = JSON.parse(stateText) as PageState
  const { pathname, search } = window.location
  const { site } = state
  const missing = state.missing && { ...state.missing, path: pathname }
  guardClicks(document)
  listenToHistory()
  listenForFinder()
  hydrateQueries(queryClient, state, document)
  const asking = { api, queryClient, flags: site.flags }
  startSession({
    api,
    queryClient,
    fetchMyPage: async () => (await loadMyPage()).fetchMyPage(asking),
  })
  const kept = storedSession()
  const isAsked =
    kept && loadMyPage().then((it) => kept === 'visitor' && it.askVisitorsPage(asking))
  followLinks((href) => {
    const { pathname: path, search } = new URL(href)
    prepare({ path, search }, site.flags, queryClient, api).catch(() => {})
  })
  // Load the screen first, because hydration that suspends throws away the server's page.
  const found = routeOf(pathname, site.flags)
  await Promise.all([
    loadScreen(found && missing === undefined ? found.route : NOWHERE, {
      query: queryOf(search),
      flags: site.flags,
    }),
    // Runs before a screen needs personal data. If this fails, each screen requests its own.
    isAsked?.catch(() => {}),
  ])
  startTransition(() => {
    hydrateRoot(
      root,
      <Root
        api={api}
        site={site}
        queryClient={queryClient}
        missing={missing}
        ssrAddress={{ path: pathname, search }}
      />,
    )
  })
}

start()
