/** Sending a post so that it becomes one, however often it is sent. */

import { useRef } from 'react'
import { isRefused } from '#app/api/client.ts'
import { isKeyUsed } from '#app/kit/forms/idempotency-key.ts'

/**
 * A sending whose answer was lost may have arrived. Sent again it keeps its key, and the server answers with the post
 * that it made at first; what was changed meanwhile follows by `change`. Where the key stands for a text that this tab
 * knows nothing of, or that cannot be changed into this one, `onKeyUsed` gives the form another key, and it is refused.
 */
export function usePosting(onKeyUsed: () => void) {
  /** What was sent first, and may have arrived. */
  const tried = useRef<{ sending: string }>(undefined)
  return async function post<Input extends { sending: string }, Posted>(
    input: Input,
    send: (input: Input) => Promise<Posted>,
    change: (posted: Posted) => Promise<unknown>,
  ): Promise<Posted> {
    const isTried = tried.current?.sending === input.sending
    const first = isTried ? (tried.current as Input) : undefined
    tried.current = first ?? input
    try {
      const posted = await send(input).catch((error) => {
        if (first && isKeyUsed(error) && isSameBesidesText(first, input)) return send(first)
        throw error
      })
      if (first && JSON.stringify(first) !== JSON.stringify(input)) await change(posted)
      tried.current = undefined
      return posted
    } catch (error) {
      // What was refused was not made: only a lost answer leaves that open.
      if (isRefused(error)) tried.current = first
      if (isKeyUsed(error)) onKeyUsed()
      throw error
    }
  }
}

/** The rest of a post, such as its name and its poll, stays as it was sent first. */
const isSameBesidesText = (...inputs: object[]) =>
  new Set(
    inputs.map((input) =>
      JSON.stringify({ ...input, title: '', body: '', topics: [], job: null, isDraft: false }),
    ),
  ).size === 1
