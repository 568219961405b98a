/** What a screen shows in place of its page within the site. If an address is opened directly, the server answers. */
import type { ApiError } from '#app/api/client.ts'
import { errorSentence } from '../forms/refusal.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { LoadError } from '../ui/message.tsx'

const MissingPage = lazyComponent(() => import('./not-found.tsx').then((it) => it.MissingPage))

/** Returns nothing while the page loads, or if it stays because only reloading it failed. */
export function pageFailure({ data, error, refetch }: PageQuery) {
  if (!error) return undefined
  const { status, code, message } = error as Partial<ApiError>
  if (status === 410 || code === 'held') return <MissingPage sentence={message} />
  if (status === 404) return <MissingPage />
  if (data === undefined) return <LoadError isPage text={errorSentence(error)} onRetry={refetch} />
}

interface PageQuery {
  data: unknown
  error: Error | null
  refetch: () => unknown
}
