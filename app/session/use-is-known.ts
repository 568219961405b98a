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
 * Shows what the server rendered for visitors and first-script.js hid from who is signed in (`known:`). To stand beside
 * the screen: whose session is known before the page is alive would see the visitors' page until then.
 */
export function UnveilWhenKnown() {
  const isKnown = useIsKnown()
  useLayoutEffect(() => {
    if (isKnown) document.documentElement.classList.remove('has-session')
  }, [isKnown])
  return null
}
