/** Sends those away who are not signed in. Spec §2.14. */
import { useEffect, useRef } from 'react'
import { useSession } from '#app/kit/session/session.data.ts'
import { useIsKnown } from '#app/kit/session/use-is-known.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { UNAUTHORIZED } from '../scraping.ts'

export function useProfileRequired() {
  const session = useSession()
  const isKnown = useIsKnown()
  const wasHere = useRef(false)
  const { status } = session
  useEffect(() => {
    if (status === 'signed-in') wasHere.current = true
    if (!isKnown || status !== 'signed-out') return
    // Who signs out here was allowed to be here.
    if (!wasHere.current) toast({ id: 'unauthorized', ...UNAUTHORIZED })
    navigate('/', { replace: true })
  }, [isKnown, status])
  return session
}
