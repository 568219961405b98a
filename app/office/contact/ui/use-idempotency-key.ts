/** Returns the same key for the same texts, and a new one once they differ. */
import { useRef } from 'react'
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'

export function useIdempotencyKey(): (texts: string[]) => string {
  const last = useRef({ text: '', key: '' })
  return (texts) => {
    const text = JSON.stringify(texts)
    if (last.current.text !== text) last.current = { text, key: newIdempotencyKey() }
    return last.current.key
  }
}
