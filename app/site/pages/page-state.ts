/** The data a page was rendered with, so that the browser fetches none of it again. */
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { withCommentHtml } from '#app/community/discussions/comments/embedded-comments.data.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'

export interface PageState {
  site: SiteConfig
  /** Nothing is at the page's URL; `sentence` says why, if known. */
  missing?: { sentence?: string }
  answers: [key: QueryKey, data: unknown][]
}

/**
 * Hydrates the query cache. Data counts as fetched when the page arrived, however long the page was cached: the live
 * stream reports changes since. Only after going back to a page that the browser kept is it fetched again.
 */
export function takeAnswers(
  queryClient: QueryClient,
  { answers }: Pick<PageState, 'answers'>,
  page: Pick<Document, 'getElementById'>,
  navigation = performance.getEntriesByType('navigation')[0],
) {
  const isFromMemory = (navigation as { type?: string } | undefined)?.type === 'back_forward'
  const updatedAt = isFromMemory ? 0 : Date.now()
  for (const [key, data] of answers)
    queryClient.setQueryData(key, withCommentHtml(key, data, page), { updatedAt })
}
