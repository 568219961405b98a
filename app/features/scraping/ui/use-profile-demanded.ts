/** Sends those away who are not signed in. Spec §2.14. */
import { useEffect, useRef } from 'react'
import { navigate } from '../../../ui/address.ts'
import { toast } from '../../../ui/toast.ts'
import { credentials, useSession } from '../../accounts/session.data.ts'
import { UNAUTHORIZED } from '../scraping.ts'

export function useProfileDemanded() {
  const session = useSession()
  const wasHere = useRef(false)
  const { status } = session
  useEffect(() => {
    if (status === 'signed-in') wasHere.current = true
    if (status !== 'signed-out') return
    let isWanted = true
    // While hydrating nobody is signed in, whoever is: the session itself knows.
    credentials.token().then(
      (token) => {
        if (!isWanted || token !== undefined) return
        // Who signs out here was allowed to be here.
        if (!wasHere.current) toast({ id: 'unauthorized', ...UNAUTHORIZED })
        navigate('/', { replace: true })
      },
      // Offline: who it is stays open.
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [status])
  return session
}
