/** What a page brings along for the browser: what was asked for it, so that nothing is asked again. */
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { withCommentHtml } from '#app/community/discussions/comments/embedded-comments.data.ts'
import type { SiteConfig } from '#app/kit/session/site.contract.ts'

export interface PageState {
  site: SiteConfig
  /** Nothing is at the page's address, and why, where there is more to say. */
  missing?: { sentence?: string }
  answers: [key: QueryKey, data: unknown][]
}

/**
 * Gives the answers of a page to the client that hydrates it; `page` is as it was sent. They count as asked for
 * when it arrived, however long it lay in a cache and whatever the clocks say: what changed since is the live
 * stream's to tell. Only a page that the browser kept by itself, and shows again without asking when somebody
 * goes back to it, is asked for anew.
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
