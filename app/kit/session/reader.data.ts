/** Who is told of news: members, and whoever wrote from this browser. Light, for the first load. */
import { useSyncExternalStore } from 'react'
import { useSession } from './session.data.ts'

/**
 * Tells readers apart in the keys of answers. Null for somebody who wrote nothing from this browser,
 * to whom no news can come; undefined until that is known.
 */
export function useReader(): string | null | undefined {
  const { status, me } = useSession()
  // The first post makes the id: it is looked for whenever something is drawn anew.
  const hasWritten = useSyncExternalStore(watchNothing, hasVisitorId, notYet)
  if (status === 'signed-in') return me?.profile?.id ?? status
  return status === 'loading' ? undefined : hasWritten && status
}

const watchNothing = () => notYet
const notYet = () => undefined

/** Null for no: what `useReader` says of nobody. */
function hasVisitorId() {
  try {
    return 'anonymousUserId' in localStorage || null
  } catch {
    return null
  }
}
