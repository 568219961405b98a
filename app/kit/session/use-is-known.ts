import { useEffect, useLayoutEffect, useState } from 'react'
import { useSession } from './session.data.ts'

/** Whether it is certain who is here, so that one's own can be asked for. */
export function useIsKnown(): boolean {
  const { status } = useSession()
  // While hydrating everybody is a visitor.
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return isMounted && status !== 'loading'
}

/**
 * Shows what the server rendered for visitors and first-script.js hid from who is signed in (`known:`) or from employers
 * (`employer:`). To stand beside the screen: whose session is known before the page is alive would see the visitors'
 * page until then.
 */
export function UnveilWhenKnown() {
  const { status, me } = useSession()
  const isKnown = useIsKnown()
  useLayoutEffect(() => {
    const { classList } = document.documentElement
    if (isKnown) classList.remove('has-session')
    // Where the server can't say who it is, the word of the session goes on to hold.
    if (isKnown && (me || status === 'signed-out')) classList.remove('is-employer')
  }, [isKnown, me, status])
  return null
}
