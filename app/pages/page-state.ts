/** What a page brings along for the browser: what was asked for it, so that nothing is asked again. */
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { withWords } from '../features/discussions/comments/page-words.ts'
import type { SiteConfig } from '../session/site.contract.ts'

export interface PageState {
  site: SiteConfig
  /** Nothing is at the page's address, and why, where there is more to say. */
  missing?: { sentence?: string }
  /** Milliseconds: when it was asked. */
  askedAt: number
  answers: [key: QueryKey, data: unknown][]
}

/** Gives the answers of a page to the client that hydrates it; `page` is as it was sent. */
export function takeAnswers(
  queryClient: QueryClient,
  { answers, askedAt }: PageState,
  page: Pick<Document, 'getElementById'>,
) {
  for (const [key, data] of answers)
    queryClient.setQueryData(key, withWords(key, data, page), { updatedAt: askedAt })
}
