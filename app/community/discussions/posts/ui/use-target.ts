/** The comment in the URL's fragment, such as #comment-5f…. */

import { useEffect, useState } from 'react'
import { navigate } from '#app/kit/ui/address.ts'
import { leadingUuid } from '#app/platform/uuid.ts'

const PREFIX = '#comment-'
const EDIT = '/edit'

/** Opens a comment for editing. */
export const commentEditPath = (threadId: string, id: string) =>
  `/thread/${threadId}${PREFIX}${id}${EDIT}`

/** Whether the URL asks to edit its comment. Only true once. */
export function takeEdit(): boolean {
  const { hash, href } = window.location
  if (!hash.startsWith(PREFIX) || !hash.endsWith(EDIT)) return false
  navigate(href.slice(0, -EDIT.length), { replace: true })
  return true
}

/** Undefined on the server, which never gets a fragment, and while hydrating. */
export function useTarget(): string | undefined {
  const [target, setTarget] = useState<string>()
  useEffect(() => {
    const look = () => {
      const { hash } = window.location
      setTarget(hash.startsWith(PREFIX) ? leadingUuid(hash.slice(PREFIX.length)) : undefined)
    }
    look()
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  return target
}
