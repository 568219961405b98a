/**
 * Fetches a member's data for the open page in one request, and puts each part into the cache where
 * its screen looks for it.
 */
import type { QueryClient } from '@tanstack/react-query'
import { myThreadQuery, threadIdOf } from '#app/community/discussions/discussion.data.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { unreadQuery } from '#app/moderation/notifications/notification.data.ts'
import { waitingQuery } from '#app/office/administration/waiting.data.ts'
import { routeOf } from '#app/routes.ts'
import type { AppClient } from './app-client.ts'

interface Asking {
  api: AppClient
  queryClient: QueryClient
  flags: SiteConfig['flags']
}

function ask({ api, flags }: Asking) {
  const found = routeOf(location.pathname, flags)
  const thread = found?.route.path === '/thread/:id' ? threadIdOf(found.params.id) : undefined
  return { thread, answer: api('GET /api/v1/my-page', { query: { thread } }) }
}

/** The response says who is signed in. */
export async function fetchMyPage(asking: Asking) {
  const { thread, answer } = ask(asking)
  const { me, waiting, unread, thread: mine } = await answer
  const { api, queryClient } = asking
  const sessionKey = me.profile?.id ?? 'signed-in'
  if (waiting) queryClient.setQueryData(waitingQuery(api).queryKey, { waiting })
  if (unread !== undefined)
    queryClient.setQueryData(unreadQuery(api, sessionKey).queryKey, { unread })
  if (thread && mine)
    queryClient.setQueryData(myThreadQuery(api, thread, sessionKey).queryKey, mine)
  return me
}

/** For visitors who posted from this browser, other queries wait for this response. */
export function askVisitorsPage(asking: Asking) {
  const { thread, answer } = ask(asking)
  const { api, queryClient } = asking
  const sessionKey = 'signed-out'
  const fetchUnread = () => api('GET /api/v1/notifications/unread')
  queryClient.prefetchQuery({
    queryKey: unreadQuery(api, sessionKey).queryKey,
    queryFn: () => answer.then(({ unread = 0 }) => ({ unread }), fetchUnread),
  })
  if (!thread) return
  const askMine = () => api('GET /api/v1/threads/{id}/mine', { params: { id: thread } })
  queryClient.prefetchQuery({
    queryKey: myThreadQuery(api, thread, sessionKey).queryKey,
    queryFn: () => answer.then((it) => it.thread ?? askMine(), askMine),
  })
}
