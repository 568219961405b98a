/** The comment that the address points at, such as #comment-5f…. */
import { useEffect, useState } from 'react'
import { threadIdIn } from '../../discussion.ts'

const PREFIX = '#comment-'

/** Undefined on the server and while hydrating: a fragment never reaches the server. */
export function useTarget(): string | undefined {
  const [target, setTarget] = useState<string>()
  useEffect(() => {
    const look = () => {
      const { hash } = window.location
      setTarget(hash.startsWith(PREFIX) ? threadIdIn(hash.slice(PREFIX.length)) : undefined)
    }
    look()
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  return target
}
