import { useEffect, useState } from 'react'
import { useSession } from './session.data.ts'

/** Whether it is certain who is here, so that one's own can be asked for. */
export function useIsKnown(): boolean {
  const { status } = useSession()
  // While hydrating everybody is a visitor.
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return isMounted && status !== 'loading'
}
