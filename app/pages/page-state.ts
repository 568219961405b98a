/** What a page brings along for the browser: what was asked for it, so that nothing is asked again. */
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { SiteConfig } from '../session/site.contract.ts'

export interface PageState {
  site: SiteConfig
  /** Nothing is at the page's address, and why, where there is more to say. */
  missing?: { sentence?: string }
  /** Milliseconds: when it was asked. */
  askedAt: number
  answers: [key: QueryKey, data: unknown][]
}

/** Gives the answers of the page to the client that hydrates it. */
export function takeAnswers(queryClient: QueryClient, { answers, askedAt }: PageState) {
  for (const [key, data] of answers) queryClient.setQueryData(key, data, { updatedAt: askedAt })
}
