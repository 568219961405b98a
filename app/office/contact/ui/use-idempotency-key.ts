/** The id of a sending: the same while the same words are sent again, and another for other words. */
import { useRef } from 'react'
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'

export function useIdempotencyKey(): (words: string[]) => string {
  const last = useRef({ words: '', sending: '' })
  return (words) => {
    const text = JSON.stringify(words)
    if (last.current.words !== text) last.current = { words: text, sending: newIdempotencyKey() }
    return last.current.sending
  }
}
