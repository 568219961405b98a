/** Sending a post so that it becomes one, however often it is sent. */
import { useRef } from 'react'

/**
 * A sending whose answer was lost may have arrived. Sent again it keeps its id, and the server
 * answers with the post that it made at first; what was changed meanwhile follows by `change`.
 */
export function usePosting() {
  /** What was sent first, and may have arrived. */
  const tried = useRef<string>(undefined)
  return async function post<Input extends object, Posted>(
    input: Input,
    send: (input: Input) => Promise<Posted>,
    change: (posted: Posted) => Promise<unknown>,
  ): Promise<Posted> {
    const text = JSON.stringify(input)
    const before = tried.current
    tried.current ??= text
    const posted = await send(input).catch((error) => {
      // What was refused was not made: only a lost answer leaves that open.
      const { status = 0 } = error as { status?: number }
      if (status >= 400 && status < 500) tried.current = before
      throw error
    })
    if (tried.current !== text) await change(posted)
    tried.current = undefined
    return posted
  }
}
