import { useEffect, useLayoutEffect, useState } from 'react'
import { useSession } from './session.data.ts'

/** Whether we know who is here, so that their own data can be asked for. */
export function useIsKnown(): boolean {
  const { status } = useSession()
  // While hydrating, everyone is a visitor.
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return isMounted && status !== 'loading'
}

/**
 * Shows what first-script.js hid from signed-in people (`known:`) and employers (`employer:`). Put it beside the
 * screen. Otherwise people whose session is known early would see the visitors' page.
 */
export function UnveilWhenKnown() {
  const { status, me } = useSession()
  const isKnown = useIsKnown()
  useLayoutEffect(() => {
    const { classList } = document.documentElement
    if (isKnown) classList.remove('has-session')
    // Where the server can't say, the session's word holds.
    if (isKnown && (me || status === 'signed-out')) classList.remove('is-employer')
  }, [isKnown, me, status])
  return null
}
