/** Who can have notifications: members, and anyone who wrote from this browser. Light, for the first load. */
import { useSyncExternalStore } from 'react'
import { useSession } from './session.data.ts'

/** A key for each reader. Null for someone who wrote nothing here, undefined until that is known. */
export function useReader(): string | null | undefined {
  const { status, me } = useSession()
  // The first post makes the id, so look at each render.
  const hasWritten = useSyncExternalStore(watchNothing, hasVisitorId, notYet)
  if (status === 'signed-in') return me?.profile?.id ?? status
  return status === 'loading' ? undefined : hasWritten && status
}

const watchNothing = () => notYet
const notYet = () => undefined

function hasVisitorId() {
  try {
    return 'anonymousUserId' in localStorage || null
  } catch {
    return null
  }
}
